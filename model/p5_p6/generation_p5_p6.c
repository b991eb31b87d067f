/* SPDX-License-Identifier: MIT */
/*
 * P5 and P6 as tables of functions. A cycle has three micro-operations on P6 and a pair of
 * instructions on P5; they also differ in registers, and in how these set up counters.
 */
#include <model/p5_p6/legacy.h>
#include <model/sampling/records.h>

static void retire_p5(struct refpmu_cpu *m, const struct refpmu_insn *insn,
                      const struct cache_cost *cost)
{
	const struct model_retired retired = { insn, cost, model_traffic_of(cost) };

	model_steps_begin(m, &retired);
	if (!retired.traffic->is_in_v_pipe)
		model_steps_close(m, SIGNAL_BACKEND);
	model_steps_take_slots(m, 1);
	model_steps_end(m, &retired);
}

#define COMMON \
	MODEL_STEPS, .events = model_events, .reset = model_steps_reset, \
	.read_counter = model_read_counter

const struct model_generation model_generation_p5 = {
	COMMON, .msrs = { model_msrs_p5 }, .plan = model_plan_p5, .retire = retire_p5,
};

const struct model_generation model_generation_p6 = {
	COMMON, .msrs = { model_msrs_p6, model_msrs_debugctl, model_msrs_debug_store,
	                  model_msrs_lbr_pair },
	.plan = model_plan_p6, .retire = model_steps_retire_uops,
};

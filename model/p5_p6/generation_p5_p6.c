/* SPDX-License-Identifier: MIT */
/* The tables of P5 and P6. They differ in registers, in how these set up counters, and in how
 * instructions share cycles. */
#include <model/p5_p6/legacy.h>
#include <model/sampling/branch_records.h>

#define COMMON \
	.access = model_access_legacy, .enter = model_enter_legacy, \
	.close = model_close_legacy, .stall = model_stall_legacy, .finish = model_finish_legacy, \
	.start = model_start_legacy, .reset = model_reset_legacy, \
	.read_counter = model_read_counter

static const struct model_msr_row *const msrs_p5[] = { model_msrs_p5, NULL };
static const struct model_msr_row *const msrs_p6[] = {
	model_msrs_p6, model_msrs_debugctl, model_msrs_lbr_pair, NULL
};

const struct model_generation model_generation_p5 = {
	COMMON, .msrs = msrs_p5, .plan = model_plan_p5, .retire = model_retire_p5,
};

const struct model_generation model_generation_p6 = {
	COMMON, .msrs = msrs_p6, .plan = model_plan_p6, .retire = model_retire_p6,
};

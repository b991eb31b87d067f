/* SPDX-License-Identifier: MIT */
/* Defines the limits of workloads that a user chooses: their arguments, and the time of a round. */
#include <pmu/workload/workload_rules.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/table.h>
#include <kernel/lib/string.h>

enum { LINE = 64, SMALL_LINE = 32, PAGE = 4096, ARENA_LEAST = 0x100000,
       PORT_BYTES = 64 };               /* a byte may take a microsecond */

#define WALK(text, step, access) \
	{ .name = text, .argument = WORKLOAD_OFFSET, .stride = (step), .size = (access), \
	  .align = 1, .weight = 10 }
#define WALK16(text, step, access) \
	{ .name = text, .argument = WORKLOAD_OFFSET, .stride = (step), .size = (access), \
	  .align = 16, .weight = 10 }

/*
 * weight is a rough value from the slowest known machine (an emulator, or a guest that exits to its
 * host).
 */
static const struct workload_rule rules[] = {
	{ .name = "movsb", .argument = WORKLOAD_LENGTH, .most = ARENA_LEAST / 2, .weight = 10 },
	{ .name = "stosd", .argument = WORKLOAD_LENGTH, .most = ARENA_LEAST / 4, .weight = 10 },
	{ .name = "pattern", .argument = WORKLOAD_BITS },
	{ .name = "random", .argument = WORKLOAD_SEED },
	{ .name = "cpuid", .weight = 1000 },
	WALK("walk", LINE, 4), WALK("store_walk", LINE, 4), WALK("copy_walk", LINE, 4),
	WALK("walk32", SMALL_LINE, 4), WALK("store_walk32", SMALL_LINE, 4),
	WALK("modify_walk32", SMALL_LINE, 4),
	WALK("page_walk", PAGE + SMALL_LINE, 4), WALK("page_store_walk", PAGE + SMALL_LINE, 4),
	WALK("load_at", 0, 4), WALK("store_at", 0, 4),
	WALK("mmx_walk", SMALL_LINE, 8), WALK("mmx_store_walk", SMALL_LINE, 8),
	WALK("prefetchnta_walk", SMALL_LINE, 1), WALK("prefetcht1_walk", SMALL_LINE, 1),
	WALK("prefetcht2_walk", SMALL_LINE, 1),
	WALK16("movntps_walk", SMALL_LINE, 16), WALK16("movntps_lines", SMALL_LINE, 32),
	{ .name = "far_jmp",    .weight = 50,     .is_kernels = true },
	{ .name = "far_call",   .weight = 50,     .is_kernels = true },
	{ .name = "int_iret",   .weight = 200,    .is_kernels = true, .has_gate = true },
	{ .name = "iret",       .weight = 100,    .is_kernels = true },
	{ .name = "fault",      .weight = 500,    .has_gate = true },
	{ .name = "fp_assist",  .weight = 200 },
	{ .name = "split_lock", .weight = 1000 },
	{ .name = "in_port",    .weight = 2000,   .is_kernels = true },
	{ .name = "out_port",   .weight = 2000,   .is_kernels = true },
	{ .name = "rep_insb", .argument = WORKLOAD_LENGTH, .most = PORT_BYTES, .weight = 10000,
	  .is_kernels = true },
	{ .name = "rep_outsb", .argument = WORKLOAD_LENGTH, .most = PORT_BYTES, .weight = 10000,
	  .is_kernels = true },
	{ .name = "invlpg",     .weight = 500,    .is_kernels = true },
	{ .name = "cr3",        .weight = 500,    .is_kernels = true },
	{ .name = "invlpg_code", .weight = 500,   .is_kernels = true },
	{ .name = "wbinvd",     .weight = 1000000, .is_kernels = true },
	{ .name = "lgdt",       .weight = 500,    .is_kernels = true },
	{ .name = "sti_cli",    .weight = 50,     .is_kernels = true },
	{ .name = "loop_unmasked", .weight = 2,   .is_kernels = true },
};

static const struct workload_rule no_rule = { .name = "" };

const struct workload_rule *workload_rule_of(const char *name)
{
	for (size_t i = 0; i < COUNT_OF(rules); i++)
		if (strcmp(rules[i].name, name) == 0)
			return &rules[i];
	return &no_rule;
}

enum { SLED_ROUNDS = 4096 };           /* of workload_nops */
#define LIGHT_INSNS UINT32_C(100000000)

uint32_t workload_rounds_most(const struct workload *w, uint32_t argument, uint32_t memory)
{
	const struct workload_rule *r = workload_rule_of(w->name);
	uint32_t each = w->insns_each, by_memory = UINT32_MAX, by_time;

	if (each == 0)
		return 0;
	if (w == &workload_nops)
		return SLED_ROUNDS;
	each = r->weight > each ? r->weight : each;
	if (r->argument == WORKLOAD_LENGTH)
		each += argument;
	if (r->argument == WORKLOAD_OFFSET) {
		if (argument >= memory || memory - argument < r->size)
			return 0;
		if (r->stride)
			by_memory = (memory - argument - r->size) / r->stride + 1;
	}
	by_time = LIGHT_INSNS / each;
	return by_time < by_memory ? by_time : by_memory;
}

static const struct { const char *needs; const char *problem; } missing[] = {
	{ "cmov", "CPUID.1:EDX[15] (CMOV) = 0" },
	{ "mmx",  "CPUID.1:EDX[23] (MMX) = 0" },
	{ "sse",  "CPUID.1:EDX[25] (SSE) = 0" },
	{ "sse2", "CPUID.1:EDX[26] (SSE2) = 0" },
};

const char *workload_problem(const struct workload *w)
{
	for (size_t i = 0; i < COUNT_OF(missing); i++)
		if (w->needs && strcmp(w->needs, missing[i].needs) == 0)
			return workload_is_possible(w) ? NULL : missing[i].problem;
	return NULL;
}

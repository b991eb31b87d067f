/* SPDX-License-Identifier: MIT */
/* Checks what a machine's tables say of its processors. */
#ifndef TESTS_UNIT_KERNEL_MACHINE_FOUND_PROCESSORS_H
#define TESTS_UNIT_KERNEL_MACHINE_FOUND_PROCESSORS_H

#include <arch/regs/table.h>
#include <tests/unit/kernel/machine/firmware_machine.h>
#include <tests/unit/unit.h>

static inline void check_found(const char *source, const uint32_t *ids, unsigned count)
{
	machine_find();
	check_str("source", found.source, source);
	check_str("problem", found.problem, "");
	check_eq_u64("dropped", found.dropped, 0);
	if (!check_eq_u64("processors", found.count, count))
		return;
	for (unsigned i = 0; i < count; i++)
		check_eq_u64("APIC ID", found.apic_id[i], ids[i]);
}

#define check_ids(source, ...) \
	check_found(source, (const uint32_t[]){ __VA_ARGS__ }, \
	            COUNT_OF(((const uint32_t[]){ __VA_ARGS__ })))

/* Checks that no processor is found, for this reason. */
static inline void check_none(const char *problem)
{
	machine_find();
	check_str("source", found.source, "none");
	check_str("problem", found.problem, problem);
	check_eq_u64("processors", found.count, 0);
	check_eq_u64("disabled", found.disabled, 0);
	check_eq_u64("dropped", found.dropped, 0);
}

#endif

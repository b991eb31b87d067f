/* SPDX-License-Identifier: MIT */
/* rdmsr: shows a register, field by field. */
#include <monitor/registers/registers.h>

#include <stddef.h>

#include <kernel/console/console.h>
#include <kernel/run/test.h>
#include <monitor/tools/command.h>
#include <pmu/drivers/suspend.h>

static void print_one(const char *text)
{
	char fault_words[FAULT_TEXT_SIZE];
	struct monitor_found r;
	uint64_t value;
	fault_t fault;

	if (!monitor_register_find(text, &r))
		monitor_register_fail(text);
	fault = pmu_awake_read(r.msr, &value);
	if (is_fault(fault))
		monitor_fail("RDMSR %s: %s: this processor has no such register", r.name,
		             fault_text(fault, fault_words));
	monitor_register_print(&r, value, UINT64_MAX);
}

/* Combines the registers that are 0 in one line, because they are of no interest. */
static void print_all(void)
{
	unsigned zeros = 0, faults = 0, records = 0;
	struct monitor_walk w = { 0 };
	struct monitor_found r;
	uint64_t value;

	print("%s: %s\n", pmu_get()->class->name, pmu_get()->verdict);
	while (monitor_register_next(&w, &r)) {
		if (r.row->is_record)
			records++;
		else if (is_fault(pmu_awake_read(r.msr, &value)))
			faults++;
		else if (value == 0)
			zeros++;
		else
			monitor_register_print_line(&r, value);
	}
	print("Registers that are 0: %u; the tab key shows their names.\n", zeros);
	if (records)
		print("Of branch records: %u, which \"lbr\" shows.\n", records);
	if (faults)
		print("Those that raise a fault: %u.\n", faults);
}

COMMAND(rdmsr, .syntax = "[REGISTER]", .summary = "reads a register, field by field",
        .text = "REGISTER is the manual's name, or any number. Alone it lists the registers\n"
                "that concern counting. Enables are shown as you programmed them, although\n"
                "counters are paused at the prompt.\n",
        .example = "rdmsr", .completion = COMPLETE_REGISTERS)
{
	words_expect(w, 0, 1);
	if (w->count == 1)
		print_all();
	else
		print_one(w->word[1]);
}

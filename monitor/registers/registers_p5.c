/* SPDX-License-Identifier: MIT */
/* Lists the registers of Pentium and P6 family. Sources: as p5.h, p6.h. */
#include <monitor/registers/registers.h>

#include <stddef.h>

#include <arch/regs/p5.h>
#include <arch/regs/p6.h>

/* The bits are CESR_CC_OS, CESR_CC_USR and CESR_CC_CLOCKS. */
static const char *const cc_values[] = {
	"does not count", "counts events at CPL 0, 1, 2", "counts events at CPL 3",
	"counts events at every CPL", "does not count", "counts their clocks at CPL 0, 1, 2",
	"counts their clocks at CPL 3", "counts their clocks at every CPL"
};
_Static_assert(CESR_CC_OS == 1 && CESR_CC_USR == 2 && CESR_CC_CLOCKS == 4
               && CESR_CC_ANY_CPL == 3, "cc_values");

#define CESR_HALF (CESR_SHIFT(1))

static const struct monitor_field cesr_fields[] = {
	{ "ES", CESR_ES0, 2, CESR_HALF, .meaning = "event select" },
	{ "CC", CESR_CC0, 2, CESR_HALF, .values = cc_values },
	{ "PC", CESR_PC0, 2, CESR_HALF, .meaning = "the pin shows overflows",
	  .zero = "the pin shows increments" },
	{ .name = NULL }
};

const struct monitor_register monitor_registers_p5[] = {
	{ .name = "CESR", .msr = CESR, .has = PMU_HAS_CESR, .fields = cesr_fields,
	  .is_select = true },
	{ .name = "CTR#", .alias = "COUNTER#",
	  .msr = CTR0, .count = CTR1 - CTR0 + 1, .has = PMU_HAS_CESR },
	{ .name = NULL }
};

/* ---------------------------------------------------------------------------- P6 */

#define SELECT_FIELDS(first) \
	MONITOR_NAMED("EVENT_SELECT", PerfEvtSel_EVENT_SELECT), \
	MONITOR_NAMED("UMASK", PerfEvtSel_UMASK), \
	{ "USR", PerfEvtSel_USR, .meaning = "counts at CPL 1, 2, 3" }, \
	{ "OS",  PerfEvtSel_OS,  .meaning = "counts at CPL 0" }, \
	{ "E",   PerfEvtSel_E,   .meaning = "counts beginnings of the condition: edges" }, \
	{ "PC",  PerfEvtSel_PC,  .meaning = "the pin shows increments", \
	  .zero = "the pin shows overflows" }, \
	{ "INT", PerfEvtSel_INT, .meaning = "an overflow raises a PMI" }, \
	first \
	{ "INV", PerfEvtSel_INV, .meaning = "counts cycles with fewer than CMASK" }, \
	{ "CMASK", PerfEvtSel_CMASK, .meaning = "counts cycles with CMASK events or more", \
	  .zero = "counts events" }, \
	{ .name = NULL }
#define ENABLE_BOTH \
	{ "EN", PerfEvtSel_EN, .meaning = "both counters count", \
	  .zero = "neither counter counts" },

static const struct monitor_field select0_fields[] = { SELECT_FIELDS(ENABLE_BOTH) };
static const struct monitor_field select1_fields[] = { SELECT_FIELDS() };

static const struct monitor_field debugctl_fields[] = {
	{ "LBR", DebugCtlMSR_LBR, .meaning = "the last branch is recorded" },
	{ "BTF", DebugCtlMSR_BTF, .meaning = "EFLAGS.TF stops at branches only" },
	{ "PB", DebugCtlMSR_PB(0), 4, 1, .meaning = "the pin shows breakpoints" },
	{ "TR", DebugCtlMSR_TR, .refusal = MONITOR_TO_MEMORY },
	{ .name = NULL }
};

#define ROW  .has = PMU_HAS_ONE_ENABLE

const struct monitor_register monitor_registers_p6[] = {
	{ .name = "PerfEvtSel0", .msr = PerfEvtSel(0), ROW, .fields = select0_fields,
	  .is_select = true },
	{ .name = "PerfEvtSel1", .msr = PerfEvtSel(1), ROW, .fields = select1_fields,
	  .is_select = true },
	{ .name = "PerfCtr#", .alias = "COUNTER#",
	  .msr = PerfCtr(0), .count = 2, ROW },
	{ .name = "DebugCtlMSR", .msr = DebugCtlMSR, ROW, .fields = debugctl_fields },
	{ .name = "LastExceptionFromIP", .msr = LastExceptionFromIP, ROW,
	  .refusal = MONITOR_READ_ONLY },
	{ .name = "LastExceptionToIP", .msr = LastExceptionToIP, ROW,
	  .refusal = MONITOR_READ_ONLY },
	{ .name = NULL }
};

/* SPDX-License-Identifier: MIT */
/*
 * Programs AMD's instruction-based sampling. Sources: APM 2, "Instruction-Based Sampling",
 * "Extended Interrupts"; errata 420 of family 10H, 718 of 15H; Linux 221bfce5ebbd.
 */
#include <pmu/sampling/ibs.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/cpu/fault.h>
#include <arch/cpu/insn.h>
#include <arch/interrupts/local_apic.h>
#include <arch/modes/interrupt.h>
#include <arch/modes/segments.h>
#include <arch/regs/amd.h>
#include <arch/regs/cpu.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>
#include <kernel/machine/machine.h>
#include <kernel/run/watchdog.h>
#include <pmu/core/pmu.h>

#define CPUID_IBS       CPUID_FIELD(CPUID_AMD_FEATURES, 0, ECX, 10, 10)
#define CPUID_EXTAPIC   CPUID_FIELD(CPUID_AMD_FEATURES, 0, ECX, 3, 3)
#define CPUID_CAPS      CPUID_FIELD(CPUID_AMD_IBS, 0, EAX, 31, 0)

enum { FAMILY_10H = 0x10, FAMILY_15H = 0x15, FAMILY_16H = 0x16, FAMILY_18H = 0x18 };
/* So many interrupts without a sample are a storm, which ends only if sampling does. */
enum { SETTLE_PAUSES = 500, STORM = 1000 };

static struct ibs_log seen;
static struct ibs_plan plan;
static uint32_t dice;

const struct ibs_log *ibs_get_log(void) { return &seen; }

/* ---------------------------------------------------------------------------- needs */

uint32_t ibs_caps(void)
{
	uint32_t caps = cpuid_get(CPUID_CAPS);

	return caps & CPUID_AMD_IBS_EAX_FFV ? caps
	       : CPUID_AMD_IBS_EAX_FetchSam | CPUID_AMD_IBS_EAX_OpSam;
}

bool ibs_has(uint32_t caps)
{
	return !ibs_unavailable() && (ibs_caps() & caps) == caps;
}

const char *ibs_unavailable(void)
{
	if (!pmu_has(PMU_HAS_LEGACY_CTLS))
		return "the PMU is not AMD's";
	if (!cpuid_get(CPUID_IBS))
		return "CPUID.80000001H:ECX[10] (IBS) = 0";
	return NULL;
}

static bool is_in_x2apic_mode(void) { return apic_get_state()->is_x2apic; }

const char *ibs_interrupt_unavailable(void)
{
	static char text[96];
	uint64_t control = msr_read_or_0(IbsControl);

	if (!apic_get_state()->is_present)
		return apic_get_state()->reason;
	if (!cpuid_get(CPUID_EXTAPIC))
		return "CPUID.80000001H:ECX[3] (extended APIC space) = 0";
	if (is_in_x2apic_mode())
		return "IA32_APIC_BASE[10] = 1: x2APIC mode, whose extended LVT nobody describes";
	if (control & IbsControl_LvtOffsetVal)
		return NULL;
	format_buf(text, sizeof(text), "IbsControl = %" PRIX64
	           "H: firmware chose no entry of the extended LVT", control);
	return text;
}

/* ---------------------------------------------------------------------------- values */

uint64_t ibs_op(uint64_t maximum, uint64_t others)
{
	if (!(others & IbsOpCtl_CntCtl) && maximum < IBS_LEAST_CLOCKS)
		maximum = IBS_LEAST_CLOCKS;
	return IbsOpCtl_En | FIELD_PUT(IbsOpCtl_MaxCnt, maximum) |
	       FIELD_PUT(IbsOpCtl_MaxCntHigh, maximum >> 16) | others;
}

uint64_t ibs_fetch(uint64_t maximum, uint64_t others)
{
	return IbsFetchCtl_En | FIELD_PUT(IbsFetchCtl_MaxCnt, maximum) | others;
}

uint32_t ibs_lvt(void)
{
	return APIC_EILVT((uint32_t)FIELD_GET(IbsControl_LvtOffset, msr_read_or_0(IbsControl)));
}

/* ---------------------------------------------------------------------------- interrupts */

/* Families 16H to 18H start the counter of fetches anew only when En goes from 0 to 1. */
static void start_fetch(void)
{
	unsigned family = machine_cpu()->family;

	if (family >= FAMILY_16H && family <= FAMILY_18H)
		msr_write(IbsFetchCtl, plan.fetch & ~IbsFetchCtl_En);
	msr_write(IbsFetchCtl, plan.fetch);
}

/*
 * Returns the control of the next sample. A period that never changes may meet the same instruction
 * of a loop for ever, so software varies it, as APM 2 advises: by the counter's start where that
 * can be written, and by the maximum.
 */
static uint64_t next_op(void)
{
	uint64_t control = plan.op;

	if (!plan.is_varied)
		return control;
	dice = dice * 1103515245u + 12345u;
	if (ibs_caps() & CPUID_AMD_IBS_EAX_RdWrOpCnt)
		control |= FIELD_PUT(IbsOpCtl_CurCnt, dice >> 16 & 0x1f);
	return control + FIELD_PUT(IbsOpCtl_MaxCnt, dice >> 24 & 7);
}

/* Erratum 718 of family 15H: bits of IbsOpData3 stay set until software clears them. */
static void start_op(void)
{
	if (machine_cpu()->family == FAMILY_15H)
		msr_write(IbsOpData3, 0);
	msr_write(IbsOpCtl, next_op());
}

/* Erratum 420 of family 10H: an op that is tagged must not meet En = 0. */
static void stop_op(void)
{
	if (machine_cpu()->family == FAMILY_10H)
		msr_write(IbsOpCtl, IbsOpCtl_En);
	msr_write(IbsOpCtl, 0);
}

static struct ibs_sample *next(const struct frame *f)
{
	static struct ibs_sample beyond;
	struct ibs_sample *s = seen.count < IBS_SAMPLES ? &seen.sample[seen.count] : &beyond;

	seen.count++;
	*s = (struct ibs_sample){ .interrupted = f->ip,
	                          .cpl = f->flags & EFLAGS_VM ? 3 : f->cs & 3 };
	return s;
}

static void show(const struct ibs_sample *s)
{
	if (plan.each)
		plan.each(s);
}

static bool is_over(void) { return plan.most && seen.count >= plan.most; }

static bool take_fetch(const struct frame *f)
{
	uint64_t ctl = plan.fetch ? msr_read(IbsFetchCtl) : 0;
	struct ibs_sample *s;

	if (!(ctl & IbsFetchCtl_Val))
		return false;
	s = next(f);
	s->is_fetch = true;
	s->ctl = ctl;
	s->linear = msr_read(IbsFetchLinAd);
	s->physical = msr_read(IbsFetchPhysAd);
	show(s);
	if (is_over())
		msr_write(IbsFetchCtl, 0);
	else
		start_fetch();
	return true;
}

static bool take_op(const struct frame *f)
{
	uint64_t ctl = plan.op ? msr_read(IbsOpCtl) : 0;
	struct ibs_sample *s;

	if (!(ctl & IbsOpCtl_Val))
		return false;
	s = next(f);
	s->ctl = ctl;
	s->rip = msr_read(IbsOpRip);
	s->data = msr_read(IbsOpData);
	s->data2 = msr_read(IbsOpData2);
	s->data3 = msr_read(IbsOpData3);
	s->linear = msr_read(IbsDcLinAd);
	s->physical = msr_read(IbsDcPhysAd);
	if (ibs_caps() & CPUID_AMD_IBS_EAX_BrnTrgt)
		s->target = msr_read(IbsBrTarget);
	show(s);
	if (is_over())
		stop_op();
	else
		start_op();
	return true;
}

/* If the watchdog's tick came, an interrupt without a sample is its own. */
static void take(struct frame *f, bool is_sure)
{
	bool has_fetch = take_fetch(f), has_op = take_op(f);

	if (!has_fetch && !has_op && !is_sure)
		return;
	seen.interrupts++;
	seen.empty += !has_fetch && !has_op;
	if (seen.empty > STORM)
		ibs_stop_sampling();
}

static void on_interrupt(struct frame *f)
{
	take(f, true);
	apic_end_of_interrupt();
}

static void set_entry(enum ibs_delivery delivery)
{
	if (ibs_interrupt_unavailable())
		return;
	if (delivery == IBS_MASKED)
		apic_write(ibs_lvt(), APIC_LVT_MASK);
	else if (delivery == IBS_FIXED)
		apic_write(ibs_lvt(), VECTOR_IBS);
	else
		apic_write(ibs_lvt(),
		           (uint32_t)FIELD_PUT(APIC_LVT_DELIVERY, APIC_DELIVERY_NMI));
}

/* ---------------------------------------------------------------------------- sampling */

void ibs_start(const struct ibs_plan *p)
{
	plan = *p;
	dice = 1;
	memset(&seen, 0, sizeof(seen));
	nmi_set_handler(p->delivery == IBS_FIXED ? NULL : take);
	interrupt_set_handler(VECTOR_IBS, p->delivery == IBS_FIXED ? on_interrupt : NULL);
	set_entry(p->delivery);
	if (plan.fetch)
		start_fetch();
	if (plan.op)
		start_op();
}

void ibs_stop_sampling(void)
{
	if (plan.op)
		stop_op();
	if (plan.fetch)
		msr_write(IbsFetchCtl, 0);
}

static void drop(struct frame *f)
{
	(void)f;
	apic_end_of_interrupt();
}

/* An interrupt that was requested and not taken waits for STI. */
static void drop_fixed(void)
{
	uintptr_t flags = flags_read();

	if (!apic_get_state()->is_present || !apic_is_requested(VECTOR_IBS))
		return;
	interrupt_set_handler(VECTOR_IBS, drop);
	interrupts_enable();
	ibs_settle();
	flags_write(flags);
}

void ibs_stop(void)
{
	ibs_stop_sampling();
	ibs_settle();
	set_entry(IBS_MASKED);
	drop_fixed();
}

void ibs_settle(void)
{
	for (unsigned i = 0; i < SETTLE_PAUSES; i++)
		cpu_pause();
}

void ibs_window(const struct ibs_plan *p, void (*code)(uint32_t rounds, uint32_t argument),
                uint32_t rounds, uint32_t argument)
{
	ibs_start(p);
	code(rounds, argument);
	ibs_stop();
}

const char *ibs_running(void)
{
	static char text[96];
	uint64_t op, fetch;

	if (ibs_unavailable())
		return NULL;
	op = msr_read_or_0(IbsOpCtl);
	fetch = msr_read_or_0(IbsFetchCtl);
	if (!(op & IbsOpCtl_En) && !(fetch & IbsFetchCtl_En))
		return NULL;
	format_buf(text, sizeof(text), "IbsOpCtl = %" PRIX64 "H, IbsFetchCtl = %" PRIX64
	           "H: IBS was left on", op, fetch);
	return text;
}

/* Writes nothing that is off: on some families these registers are hidden. */
void ibs_reset(void)
{
	if (ibs_unavailable())
		return;
	if (msr_read_or_0(IbsOpCtl))
		stop_op();
	if (msr_read_or_0(IbsFetchCtl))
		msr_try_write(IbsFetchCtl, 0);
	plan = (struct ibs_plan){ .op = 0 };
	set_entry(IBS_MASKED);
	drop_fixed();
	interrupt_set_handler(VECTOR_IBS, NULL);
}

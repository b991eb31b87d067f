/* SPDX-License-Identifier: MIT */
/* That guests run, leave and fail as they must: what the other tests of the suite stand on. */
#include <tests/suites/svm/svm_guest.h>

#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>
#include <arch/regs/msr.h>

#define EXITS   SVM_APM ", \"#VMEXIT\", \"Instruction Intercepts\""
#define INJECT  SVM_APM ", \"Event Injection\""

TEST(vmmcall, .id = "svm.entry.vmmcall", .needs = need_svm, .source = EXITS,
     .claim = "a guest that executes VMMCALL leaves by exit code 81H at that instruction, and SVM "
              "is off again afterwards")
{
	struct svm_guest g = { .code = svm_sled(10) };

	svm_begin();
	svm_try(&g);
	expect_exact(t, "exit code", g.exit, SVM_EXIT_VMMCALL, "VMMCALL is intercepted");
	expect_exact(t, "RIP at the exit", g.ip, (uintptr_t)svm_guest_end,
	             "an intercepted instruction leaves RIP at it");
	svm_end();
	expect_bits(t, "EFER", msr_read(IA32_EFER), AMD_EFER_SVME, 0, "SVME as it was before");
}

TEST(instructions, .id = "svm.entry.instructions", .needs = need_svm, .source = EXITS,
     .claim = "CPUID and HLT that are intercepted leave the guest by exit codes 72H and 78H with "
              "RIP at the instruction")
{
	static const struct { const uint8_t *code; const char *name; uint32_t exit; } rows[] = {
		{ svm_guest_cpuid, "CPUID", SVM_EXIT_CPUID },
		{ svm_guest_hlt, "HLT", SVM_EXIT_HLT },
	};

	svm_begin();
	svm_vmcb()->intercepts[0] |= SVM_INTERCEPT_CPUID;
	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		struct svm_guest g = { .code = rows[i].code };

		test_sub(t, "%s", rows[i].name);
		svm_try(&g);
		expect_exact(t, "exit code", g.exit, rows[i].exit, "the instruction's");
		expect_exact(t, "RIP at the exit", g.ip, (uintptr_t)rows[i].code,
		             "an intercepted instruction leaves RIP at it");
	}
	svm_end();
}

TEST(registers, .id = "svm.entry.registers", .needs = need_svm, .source = EXITS,
     .claim = "general registers pass from host to guest and back, RAX through the VMCB")
{
	const struct guest_regs in = { 1, 2, 3, 4, 5, 6, 7 };
	struct svm_guest g = { .code = svm_guest_end, .regs = in };

	svm_begin();
	svm_try(&g);
	expect_exact(t, "RAX", g.regs.ax, in.ax, "the guest has not changed it");
	expect_exact(t, "RBX", g.regs.bx, in.bx, "the guest has not changed it");
	expect_exact(t, "RCX", g.regs.cx, in.cx, "the guest has not changed it");
	expect_exact(t, "RBP", g.regs.bp, in.bp, "the guest has not changed it");
	svm_end();
}

/* ---------------------------------------------------------------------------- failed entries */

/* Runs a guest that VMRUN refuses: it has no intercept of VMRUN. */
static void refused(uint32_t times, uint32_t unused)
{
	(void)unused;
	svm_vmcb()->intercepts[1] &= ~SVM_INTERCEPT_VMRUN;
	for (uint32_t i = 0; i < times; i++) {
		struct svm_guest g = { .code = svm_sled(10) };

		svm_expect(&g, SVM_EXIT_INVALID);
	}
}

TEST(invalid, .id = "svm.entry.invalid", .needs = need_svm,
     .source = SVM_APM ", \"Canonicalization and Consistency Checks\"",
     .claim = "VMRUN without its own intercept, or with ASID 0, leaves at once by exit code -1")
{
	struct svm_guest g = { .code = svm_sled(10) };

	svm_begin();
	svm_vmcb()->intercepts[1] &= ~SVM_INTERCEPT_VMRUN;
	svm_try(&g);
	expect_exact(t, "exit code without the intercept", g.exit, SVM_EXIT_INVALID,
	             "VMRUN must be intercepted");
	svm_vmcb()->intercepts[1] |= SVM_INTERCEPT_VMRUN;
	svm_vmcb()->asid = 0;
	svm_try(&g);
	expect_exact(t, "exit code with ASID 0", g.exit, SVM_EXIT_INVALID, "it is the host's");
	svm_end();
}

TEST(invalid_counts, .id = "svm.entry.invalid_counts", .needs = need_svm_bits,
     .source = SVM_APM ", \"Canonicalization and Consistency Checks\"; " AMD_APM
               ", HostOnly and GuestOnly",
     .claim = "a VMRUN that fails executes nothing of the guest: a counter of guests alone gains "
              "at most two for it, one of the host goes on")
{
	const uint64_t guest = svm_select(AMD_EVENT_INST_RETIRED, SVM_GUEST_ONLY);
	const uint64_t host = svm_select(AMD_EVENT_INST_RETIRED, SVM_HOST_ONLY);

	svm_begin();
	expect_between(t, "guest only, 100 entries that fail",
	               amd_count(0, guest, refused, 100, 0), 0, 200,
	               "low: VMRUN is the host's; high: VMRUN and the #VMEXIT are the guest's");
	expect_between(t, "host only, 100 entries that fail",
	               amd_count(0, host, refused, 100, 0), 100 * 20, UINT64_MAX,
	               "low: the host saves and loads more than 20 registers around each VMRUN; "
	               "high: no bound");
	svm_end();
}

/* ---------------------------------------------------------------------------- injected events */

static const struct event { uint32_t event, error; const char *name; } events[] = {
	{ FIELD_PUT(SVM_EVENT_TYPE, SVM_EVENT_NMI) | X86_NMI, 0, "an NMI" },
	{ FIELD_PUT(SVM_EVENT_TYPE, SVM_EVENT_EXCEPTION) | X86_UD, 0, "#UD" },
	{ FIELD_PUT(SVM_EVENT_TYPE, SVM_EVENT_INTR) | 0x42, 0, "interrupt 42H" },
};

static void inject(const struct event *e)
{
	svm_vmcb()->event = (uint64_t)e->error << 32 | e->event | SVM_EVENT_VALID;
}

TEST(injected, .id = "svm.inject.delivered", .needs = need_svm, .source = INJECT,
     .claim = "an injected event enters the guest's handler before the guest's first instruction, "
              "and causes neither a #VMEXIT nor an interrupt of the host")
{
	for (unsigned i = 0; i < COUNT_OF(events); i++) {
		struct svm_guest g = { .code = svm_sled(10), .is_injected = true };

		test_sub(t, "%s", events[i].name);
		svm_begin();
		inject(&events[i]);
		svm_try(&g);
		expect_exact(t, "vector in the guest", (uint64_t)(int64_t)g.vector,
		             events[i].event & SVM_EVENT_VECTOR, "the injected one's");
		if (g.vector >= 0)
			expect_exact(t, "interrupted RIP", svm_guest_interrupted(),
			             (uintptr_t)g.code, "nothing of the guest has executed");
		expect_bits(t, "EVENTINJ", svm_vmcb()->event, SVM_EVENT_VALID, 0,
		            "a #VMEXIT clears its bit 31");
		svm_end();
	}
}

static void injected_ud(uint32_t is_intercepted, uint32_t times)
{
	for (uint32_t i = 0; i < times; i++) {
		struct svm_guest g = { .code = svm_sled(10), .is_injected = true };

		svm_vmcb()->exception_intercepts = is_intercepted ? BIT32(X86_UD) : 0;
		inject(&events[1]);
		svm_try(&g);
	}
}

static void ten_guests(uint32_t unused_1, uint32_t unused_2)
{
	(void)unused_1, (void)unused_2;
	for (unsigned i = 0; i < 10; i++)
		svm_nops(10, 0);
}

TEST(injected_counts, .id = "svm.inject.counts", .needs = need_svm_bits, .source = INJECT,
     .claim = "the branches of injected exceptions count alike whether or not the exception would "
              "leave the guest if the guest raised it")
{
	const uint64_t select = svm_select(AMD_EVENT_BRANCHES, SVM_GUEST_ONLY);
	uint64_t none, free, leaving;

	svm_begin();
	none = amd_count(0, select, ten_guests, 0, 0);
	free = amd_count(0, select, injected_ud, false, 10);
	leaving = amd_count(0, select, injected_ud, true, 10);
	expect_exact(t, "branches with #UD intercepted", leaving, free,
	             "as many as without it: the exceptions are delivered");
	expect_between(t, "branches that ten injected #UD add", free - none, 10, 20,
	               "low: the entry of each handler; high: twice, as on family 15H");
	svm_end();
}

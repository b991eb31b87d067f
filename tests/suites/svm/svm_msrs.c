/* SPDX-License-Identifier: MIT */
/* Which accesses to MSRs of the PMU leave the guest, and what those do that do not. */
#include <tests/suites/svm/svm_guest.h>

#include <arch/cpu/fault.h>
#include <arch/regs/cpu.h>

#define MAP  SVM_APM ", \"MSR Intercepts\""

/* The first two registers of the PMU, with a value that each keeps and by which nothing counts. */
struct row { uint32_t msr; const char *name; uint64_t value; };
enum { ROWS = 5 };

static struct row row_of(unsigned i)
{
	const struct row rows[ROWS] = {
		{ amd_ctl(0), "the control of counter 0", PERF_CTL_USR | AMD_EVENT_INST_RETIRED },
		{ amd_ctl(1), "the control of counter 1", PERF_CTL_OS | AMD_EVENT_BRANCHES },
		{ amd_ctr(0), "counter 0", 0x123 },
		{ amd_ctr(1), "counter 1", 0x456 },
		{ PerfCntrGlobalCtl, "PerfCntrGlobalCtl", 0x2 },
	};

	return rows[i];
}

static bool is_there(struct test_ctx *t, const struct row *r)
{
	test_sub(t, "%s", r->name);
	return r->msr != PerfCntrGlobalCtl || amd_has_v2();
}

#define FOR_EACH_ROW(t, r) \
	for (unsigned at = 0; at < ROWS; at++) \
		for (struct row r = row_of(at), *once = &r; once; once = NULL) \
			if (is_there(t, &r))

static void finish(void)
{
	svm_end();
	pmu_reset();
}

static struct svm_guest access_of(const struct row *r, bool is_write)
{
	return (struct svm_guest){
		.code = is_write ? svm_guest_wrmsr : svm_guest_rdmsr,
		.regs = { .cx = r->msr, .ax = (uint32_t)r->value,
			  .dx = (uint32_t)(r->value >> 32) } };
}

TEST(reads, .id = "svm.msr.reads", .needs = need_svm, .source = MAP,
     .claim = "RDMSR of a register whose bit in the map is 0 reads the processor's register")
{
	svm_begin();
	FOR_EACH_ROW(t, r) {
		msr_write(r.msr, r.value);
		expect_bits(t, "value in the guest", svm_read_msr(r.msr), UINT64_MAX, r.value,
		            "nothing intercepts the read");
	}
	finish();
}

TEST(writes, .id = "svm.msr.writes", .needs = need_svm, .source = MAP,
     .claim = "WRMSR of a register whose bit in the map is 0 writes the processor's register")
{
	svm_begin();
	FOR_EACH_ROW(t, r) {
		msr_write(r.msr, 0);
		svm_write_msr(r.msr, r.value);
		expect_bits(t, "value after the exit", msr_read(r.msr), UINT64_MAX, r.value,
		            "nothing intercepts the write");
	}
	finish();
}

/* Expects an exit at the access that changes nothing; or, if it is not to exit, none. */
static void expect_access(struct test_ctx *t, const struct row *r, bool is_write, bool exits)
{
	struct svm_guest g = access_of(r, is_write);

	msr_write(r->msr, 0);
	svm_try(&g);
	expect_exact(t, is_write ? "exit code of WRMSR" : "exit code of RDMSR", g.exit,
	             exits ? SVM_EXIT_MSR : SVM_EXIT_VMMCALL,
	             exits ? "the map intercepts the access"
	                   : "the access does nothing to leave the guest, so VMMCALL does");
	if (!exits)
		return;
	expect_exact(t, "EXITINFO1", g.info, is_write, "0 for RDMSR, 1 for WRMSR");
	expect_exact(t, "RIP at the exit", g.ip, (uintptr_t)g.code, "it is the instruction's");
	expect_exact(t, "ECX at the exit", (uint32_t)g.regs.cx, r->msr,
	             "registers are the guest's");
	if (is_write)
		expect_bits(t, "value after the exit", msr_read(r->msr), UINT64_MAX, 0,
		            "the exit comes before the write");
}

TEST(intercept_reads, .id = "svm.msr.intercept_reads", .needs = need_svm, .source = MAP,
     .claim = "a register's lower bit in the map lets RDMSR exit with code 7CH, and WRMSR not")
{
	svm_begin();
	FOR_EACH_ROW(t, r) {
		svm_intercept(r.msr, true, false);
		expect_access(t, &r, false, true);
		expect_access(t, &r, true, false);
	}
	finish();
}

TEST(intercept_writes, .id = "svm.msr.intercept_writes", .needs = need_svm, .source = MAP,
     .claim = "a register's upper bit in the map lets WRMSR exit with code 7CH and without a "
              "write, and RDMSR not")
{
	svm_begin();
	FOR_EACH_ROW(t, r) {
		svm_intercept(r.msr, false, true);
		expect_access(t, &r, false, false);
		expect_access(t, &r, true, true);
	}
	finish();
}

TEST(neighbours, .id = "svm.msr.neighbours", .needs = need_svm, .source = MAP,
     .claim = "a register's bits in the map do nothing to the registers beside it, nor to those of "
              "the same place in another range")
{
	const struct row r = row_of(2);

	svm_begin();
	svm_intercept(r.msr - 1, true, true);
	svm_intercept(r.msr + 1, true, true);
	svm_intercept(r.msr & 0x1fff, true, true);
	svm_intercept(0xc0000000 | (r.msr & 0x1fff), true, true);
	test_sub(t, "%s", r.name);
	expect_access(t, &r, false, false);
	expect_access(t, &r, true, false);
	finish();
}

TEST(unprotected, .id = "svm.msr.unprotected", .needs = need_svm, .source = MAP,
     .claim = "without the intercept of MSRs the map does nothing")
{
	svm_begin();
	svm_vmcb()->intercepts[0] &= ~SVM_INTERCEPT_MSR_PROT;
	FOR_EACH_ROW(t, r) {
		svm_intercept(r.msr, true, true);
		expect_access(t, &r, false, false);
		expect_access(t, &r, true, false);
	}
	finish();
}

TEST(outside, .id = "svm.msr.outside", .needs = need_svm, .source = MAP,
     .claim = "an access to a register outside of the map's three ranges leaves the guest")
{
	static const struct row beyond[] = {
		{ 0x2000, "register 2000H", 0 },
		{ 0x40000000, "register 40000000H", 0 },
		{ 0xc0002000, "register C0002000H", 0 },
		{ 0xc0012000, "register C0012000H", 0 },
	};

	svm_begin();
	for (unsigned i = 0; i < COUNT_OF(beyond); i++) {
		for (unsigned is_write = 0; is_write <= 1; is_write++) {
			struct svm_guest g = access_of(&beyond[i], is_write);

			test_sub(t, "%s", beyond[i].name);
			svm_try(&g);
			expect_exact(t, "exit code", g.exit, SVM_EXIT_MSR,
			             "the map has no bit for it");
		}
	}
	finish();
}

TEST(privilege, .id = "svm.msr.privilege", .needs = need_svm,
     .source = SVM_APM ", \"Instruction Intercepts\": exceptions by privilege come first",
     .claim = "RDMSR and WRMSR at CPL 3 are #GP(0) in the guest, also if they are intercepted")
{
	const struct row r = row_of(0);

	svm_begin();
	svm_intercept(r.msr, true, true);
	for (unsigned is_write = 0; is_write <= 1; is_write++) {
		struct svm_guest g = access_of(&r, is_write);

		g.cpl = 3;
		svm_try(&g);
		expect_exact(t, is_write ? "vector of WRMSR" : "vector of RDMSR",
		             (uint64_t)(int64_t)g.vector, X86_GP,
		             "faults by privilege come before intercepts");
	}
	finish();
}

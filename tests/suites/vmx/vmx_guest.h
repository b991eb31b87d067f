/* SPDX-License-Identifier: MIT */
/*
 * Runs guests for the suite of VMX:
 *
 *	guest_begin();                          // VMX is on, the guest is this kernel at CPL 0
 *	guest_write(VMCS_GUEST_DEBUGCTL, ...);
 *	struct guest g = { .code = vmx_guest_rdmsr, .regs.cx = IA32_PERF_GLOBAL_CTRL };
 *	guest_run(&g);                          // g has registers, exit reason, ...
 *	guest_end();
 *
 * What fails without being expected ends the test.
 */
#ifndef TESTS_SUITES_VMX_VMX_GUEST_H
#define TESTS_SUITES_VMX_VMX_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/regs/vmx.h>
#include <arch/vmx/hypervisor.h>
#include <kernel/run/test.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/guests/guest_claims.h>
#include <tests/suites/common/guests/guest_code.h>
#include <tests/suites/common/silicon/silicon.h>

/* Need controls that may be 1, or 0; each needs need_vmx() as well. */
const char *need_vmx_entry_perf(struct test_ctx *t);
const char *need_vmx_exit_perf(struct test_ctx *t);
const char *need_vmx_both_perf(struct test_ctx *t);
const char *need_vmx_save_perf(struct test_ctx *t);
const char *need_vmx_free_entry_debug(struct test_ctx *t);
const char *need_vmx_free_exit_debug(struct test_ctx *t);
const char *need_vmx_bitmaps(struct test_ctx *t);
const char *need_vmx_virtual_nmis(struct test_ctx *t);
const char *need_vmx_tsc_scaling(struct test_ctx *t);

struct guest {
	const void *code;
	unsigned cpl;                  /* 0 or 3 */
	bool is_injected;              /* an NMI in the guest's handler is not a real one */
	uint32_t flags;                /* EFLAGS besides bit 1 */
	uint32_t interruptibility;     /* VMCS_BLOCKING_... */
	struct guest_regs regs;        /* in and out */
	/* Out: */
	enum vmx_status status;        /* VMLAUNCH or VMRESUME failed, with this error */
	uint32_t error;
	uint32_t reason;               /* the basic exit reason */
	bool has_failed;               /* the entry failed: reason 33 or 34 */
	uint64_t qualification;
	uint32_t info;                 /* of an exception or NMI */
	uintptr_t ip;                  /* RIP at the exit */
	int vector;                    /* -1, or the gate by which the guest was interrupted */
	unsigned nmis;                 /* NMIs that the guest or the host got of it */
};

void guest_begin(void);
void guest_end(void);

void guest_write(uint32_t field, uint64_t value);
uint64_t guest_read(uint32_t field);

/* Sets or clears controls, and ends the test if they may not be so. */
void guest_set(enum vmx_controls of, uint32_t bits);
void guest_clear(enum vmx_controls of, uint32_t bits);

/*
 * Runs the guest from g->code up to an exit, which it describes in g, as it does an entry that
 * fails. An NMI is handed to this kernel's handler; the guest goes on after those of the watchdog.
 */
void guest_try(struct guest *g);

/* Do the same and go on with the guest from where it was. */
void guest_try_again(struct guest *g);

/* Run, or go on, and end the test if the entry fails, or if it exits by another reason. */
void guest_run(struct guest *g);
void guest_expect(struct guest *g, uint32_t reason);
void guest_go_on(struct guest *g, uint32_t reason);

/* Lets the guest go on after the instruction that has caused the exit. */
void guest_skip_instruction(void);

/* Runs vmx_guest_cpuids, which leaves the guest `rounds` times; for pmu_window(). */
void guest_cpuid_exits(uint32_t rounds, uint32_t unused);

/* Expects the guest to have left by this basic exit reason; if its entry was refused, the failure
 * names the instruction error. */
#define expect_exits(t, what, g, reason, why) \
	expect_exits_at(t, TEST_PLACE, what, g, reason, why)
bool expect_exits_at(struct test_ctx *t, struct test_place at, const char *what,
                     const struct guest *g, uint32_t reason, const char *why);

/*
 * Expect a count from low to high, or that the second of two counts is so much higher than the
 * first. On E-cores each of so many crossings, VM entries and VM exits, may add one to a count of
 * instructions or branches.
 */
#define guest_expect_in(t, what, got, low, high, crossings, why) \
	expect_bounds(t, what, got, if_exact_in(low, high, why), \
	              silicon_in(SILICON_E_CORE_GUESTS, else_in(low, high, why), low, \
	                         (high) + (crossings)))
#define guest_expect_more(t, what, first, second, want, crossings, why) \
	guest_expect_more_at(t, TEST_PLACE, what, first, second, want, crossings, why)
void guest_expect_more_at(struct test_ctx *t, struct test_place at, const char *what,
                          uint64_t first, uint64_t second, uint64_t want, uint64_t crossings,
                          const char *why);

/* Runs one instruction on an MSR, and returns the guest's EDX:EAX. */
uint64_t guest_read_msr(uint32_t msr);
void guest_write_msr(uint32_t msr, uint64_t value);

/* Returns where the guest begins to execute so many NOPs, at most GUEST_NOPS, and a VMCALL. */
static inline const void *guest_sled(unsigned nops)
{
	return vmx_guest_nops + GUEST_NOPS - nops;
}

/* An area of MSRs, for the fields of addresses and counts. Source: SDM 3C, "VM-Exit Controls for
 * MSRs". */
struct guest_msr { uint32_t msr, reserved; uint64_t value; };
enum { GUEST_MSRS = 8 };
struct guest_list { struct guest_msr row[GUEST_MSRS]; };
extern struct guest_list guest_entry_load, guest_exit_store, guest_exit_load;

/* Puts an MSR at the end of one of them, which guest_begin() empties; returns its row. */
struct guest_msr *guest_list_add(struct guest_list *list, uint32_t msr, uint64_t value);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Runs guests for the suite of SVM:
 *
 *	svm_begin();                            // SVM is on, the guest is this kernel at CPL 0
 *	svm_vmcb()->intercepts[0] |= ...;
 *	struct svm_guest g = { .code = svm_guest_rdmsr, .regs.cx = PERF_CTL(0) };
 *	svm_run(&g);                            // g has registers, exit code, ...
 *	svm_end();
 *
 * What fails without being expected ends the test.
 */
#ifndef TESTS_SUITES_SVM_SVM_GUEST_H
#define TESTS_SUITES_SVM_SVM_GUEST_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/svm/svm_hypervisor.h>
#include <kernel/run/test.h>
#include <tests/suites/common/amd/amd_suite.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/common/guests/guest_claims.h>
#include <tests/suites/common/guests/guest_code.h>
#include <tests/suites/common/needs.h>

#define SVM_APM  "APM 2, \"Secure Virtual Machine\""

/* Need SVM, and the host and guest bits; with them PMIs by LVTPC; PerfMonV2; LBR virtualization. */
const char *need_svm_bits(struct test_ctx *t);
const char *need_svm_pmi(struct test_ctx *t);
const char *need_svm_v2(struct test_ctx *t);
const char *need_svm_v2_pmi(struct test_ctx *t);
const char *need_svm_lbr(struct test_ctx *t);

struct svm_guest {
	const void *code;
	unsigned cpl;                  /* 0 or 3 */
	bool is_injected;              /* an NMI in the guest's handler is not a real one */
	uint64_t flags;                /* RFLAGS besides bit 1 */
	struct guest_regs regs;        /* in and out */
	/* Out: */
	uint64_t exit, info;           /* the exit code, and EXITINFO1 */
	uintptr_t ip;                  /* RIP at the exit */
	int vector;                    /* -1, or the gate by which the guest was interrupted */
	unsigned nmis;                 /* NMIs that the guest or the host got of it */
};

void svm_begin(void);
void svm_end(void);

/* Runs the guest from g->code up to a #VMEXIT, which it describes in g. An NMI is handed to this
 * kernel's handler; the guest goes on after those of the watchdog. */
void svm_try(struct svm_guest *g);

/* Does the same and goes on with the guest from where it was. */
void svm_try_again(struct svm_guest *g);

/* Run, or go on, and end the test if the guest leaves by another exit code. */
void svm_run(struct svm_guest *g);
void svm_expect(struct svm_guest *g, uint64_t exit);
void svm_go_on(struct svm_guest *g, uint64_t exit);

/* Guests for amd_count(): NOPs at CPL 0 and 3, a loop, CPUIDs that leave, round after round. */
void svm_nops(uint32_t nops, uint32_t unused);
void svm_nops_at_cpl3(uint32_t nops, uint32_t unused);
void svm_loop(uint32_t rounds, uint32_t unused);
void svm_cpuid_exits(uint32_t rounds, uint32_t unused);

/* Runs one instruction on an MSR, and returns the guest's EDX:EAX. */
uint64_t svm_read_msr(uint32_t msr);
void svm_write_msr(uint32_t msr, uint64_t value);

/* Returns where the guest begins to execute so many NOPs, at most GUEST_NOPS, and a VMMCALL. */
static inline const void *svm_sled(unsigned nops)
{
	return svm_guest_nops + GUEST_NOPS - nops;
}

/* The control's value for an event in all rings, with the host and guest bits. */
enum svm_who { SVM_ALL, SVM_GUEST_ONLY, SVM_HOST_ONLY, SVM_BOTH };
uint64_t svm_select(uint16_t event, enum svm_who who);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Programs AMD's instruction-based sampling, and collects its samples. Source: APM 2,
 * "Instruction-Based Sampling"; Linux, arch/x86/events/amd/ibs.c, for what drivers must know.
 *
 *	ibs_start(&(struct ibs_plan){ .op = ibs_op(0x100, IbsOpCtl_CntCtl), .delivery = IBS_NMI });
 *	... code ...
 *	ibs_stop();
 *	... ibs_get_log()->sample[0].rip ...
 */
#ifndef PMU_SAMPLING_IBS_H
#define PMU_SAMPLING_IBS_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/regs/amd_ibs.h>

/* Smaller maxima give samples that are of no use: Linux b2fc7b282bf7. */
enum { IBS_OP_LEAST = 0x9, IBS_FETCH_LEAST = 0x1 };

/* How the entry of the extended LVT delivers the interrupt. */
enum ibs_delivery { IBS_NMI, IBS_FIXED, IBS_MASKED };

/* Holds one sample: the registers as the interrupt found them, and what it interrupted. */
struct ibs_sample {
	bool is_fetch;
	uint8_t cpl;
	uintptr_t interrupted;
	uint64_t ctl;                  /* IbsOpCtl or IbsFetchCtl */
	uint64_t rip, data, data2, data3, target;      /* of an op; target is 0 without the MSR */
	uint64_t linear, physical;     /* of an op's data, or of a fetch */
};

/* Holds what the sampling registers are given: values of IbsOpCtl and IbsFetchCtl; 0 is off. */
struct ibs_plan {
	uint64_t op, fetch;
	enum ibs_delivery delivery;
	unsigned most;                 /* samples after which none is taken any more; 0: no limit */
	/* Is called with each sample, in the interrupt's handler, unless it is NULL. */
	void (*each)(const struct ibs_sample *s);
	bool is_varied;                /* periods of ops vary, by up to 128 */
};

enum { IBS_SAMPLES = 256 };
struct ibs_log {
	unsigned interrupts;           /* from ibs_start() on */
	unsigned empty;                /* those that found no valid sample */
	unsigned count;                /* samples, also beyond IBS_SAMPLES */
	struct ibs_sample sample[IBS_SAMPLES];
};

/* Returns EAX of CPUID's leaf of IBS, or what a processor without this leaf can do. */
uint32_t ibs_caps(void);
bool ibs_has(uint32_t caps);

/* Return NULL, or why there is no IBS, or no interrupt of it. */
const char *ibs_unavailable(void);
const char *ibs_interrupt_unavailable(void);

/* Return the value of a control that samples one in 16 * maximum, with these other bits. maximum
 * is cut to the width of its field. Clocks are at least 16 * IBS_LEAST_CLOCKS: in fewer a handler
 * may not return, and be sampled for ever. */
enum { IBS_LEAST_CLOCKS = 0x80 };
uint64_t ibs_op(uint64_t maximum, uint64_t others);
uint64_t ibs_fetch(uint64_t maximum, uint64_t others);

/* Returns the MSR-like offset of IBS's entry of the extended LVT in the local APIC. */
uint32_t ibs_lvt(void);

/* Forgets the log, programs the interrupt and starts; stops, in the way that errata need. Until
 * then each interrupt notes its samples and takes the next one, as the plan says. IBS_FIXED arrives
 * only while interrupts are on. */
void ibs_start(const struct ibs_plan *p);
void ibs_stop(void);
/* Stops without waiting, and leaves the interrupt on for one that is under way. */
void ibs_stop_sampling(void);
const struct ibs_log *ibs_get_log(void);

/* Starts, runs code(rounds, argument), and stops. */
void ibs_window(const struct ibs_plan *p, void (*code)(uint32_t rounds, uint32_t argument),
                uint32_t rounds, uint32_t argument);

/* Waits for the interrupt of a sample that has been taken. */
void ibs_settle(void);

/* Return NULL or what was left on, for the engine's hook, and switch everything off. */
const char *ibs_running(void);
void ibs_reset(void);

#endif

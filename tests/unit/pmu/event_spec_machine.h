/* SPDX-License-Identifier: MIT */
/* Replaces the kernel's functions that event_spec.c calls, for any processor that a test wants. */
#ifndef TESTS_UNIT_PMU_EVENT_SPEC_MACHINE_H
#define TESTS_UNIT_PMU_EVENT_SPEC_MACHINE_H

#include <string.h>

#include <arch/regs/perfmon.h>
#include <kernel/machine/machine.h>
#include <kernel/run/test.h>
#include <pmu/core/microarchitecture.h>
#include <pmu/events/event_request.h>
#include <tests/unit/aborts.h>

static struct cpu_identity choice_cpu;
static struct pmu choice_pmu;
static uint16_t choice_missing;        /* the architectural event that CPUID says is missing */
static uint32_t choice_pebs_enable;    /* the last argument of netburst_set_replay() */

const struct cpu_identity *machine_cpu(void) { return &choice_cpu; }
const struct pmu *pmu_get(void) { return &choice_pmu; }

/* Describes one thread per core, and a leaf 0AH that deprecates nothing. */
uint32_t cpuid_get(struct cpuid_field field)
{
	(void)field;
	return 0;
}

bool pmu_has_counter(unsigned counter)
{
	return counter < PMU_FIXED ? counter < choice_pmu.gp_count
	       : counter < 64 && (choice_pmu.fixed_map >> (counter - PMU_FIXED) & 1);
}

bool pmu_has_event(uint16_t event) { return event != choice_missing; }

const char *pmu_counter_name(unsigned counter, char *buffer)
{
	snprintf(buffer, PMU_NAME_SIZE, counter < PMU_FIXED ? "C%u" : "F%u", counter % PMU_FIXED);
	return buffer;
}

struct pmu_reading pmu_measure_code(const struct pmu_setup *setups, unsigned count,
                                    void (*code)(uint32_t rounds, uint32_t argument),
                                    uint32_t rounds, uint32_t argument)
{
	struct pmu_reading r = { .count = { 0 } };

	(void)code, (void)rounds, (void)argument;
	for (unsigned i = 0; i < count; i++)
		r.count[i] = setups[i].counter;
	r.status = choice_pebs_enable;
	return r;
}

void netburst_set_replay(uint32_t pebs_enable, uint32_t matrix_vert)
{
	(void)matrix_vert;
	choice_pebs_enable = pebs_enable;
}

#define CHOICE(name, source, is, facilities) static const struct pmu_class choice_##name = { \
	.events = &event_source_##source, .microarchitecture = microarchitecture_of_##is, \
	.has = (facilities) }
CHOICE(p5, p5, p5, 0);
CHOICE(p5_mmx, p5, p5_mmx, 0);
CHOICE(p6, p6, p6, 0);
CHOICE(netburst, netburst, netburst, 0);
CHOICE(arch, arch, arch, PMU_HAS_LEAF_0AH);
CHOICE(amd, amd, amd, 0);

static inline void choice_be(const struct pmu_class *class, uint32_t family, uint32_t model,
                             unsigned counters)
{
	choice_cpu = (struct cpu_identity){ .vendor = VENDOR_INTEL, .family = (uint8_t)family,
	                                    .model = (uint8_t)model };
	choice_pmu = (struct pmu){ .class = class, .gp_count = counters, .verdict = "it is dead" };
	choice_missing = 0xffff;
}

static inline void be_p5(void)       { choice_be(&choice_p5, 5, 2, 2); }
static inline void be_p5_mmx(void)   { choice_be(&choice_p5_mmx, 5, 4, 2); }
static inline void be_katmai(void)   { choice_be(&choice_p6, 6, 7, 2); }
static inline void be_netburst(void) { choice_be(&choice_netburst, 0xf, 1, 18); }
static inline void be_arch(uint32_t model, unsigned version, unsigned counters, uint32_t fixed)
{
	choice_be(&choice_arch, 6, model, counters);
	choice_pmu.version = version;
	choice_pmu.fixed_map = fixed;
}
static inline void be_haswell(void)  { be_arch(0x3c, 3, 4, 7); }

#endif

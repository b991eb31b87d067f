/* SPDX-License-Identifier: MIT */
/* Writes code into the arena; pmu_code_write() in workload.h describes it. */
#include <pmu/workload/workload.h>

#include <arch/cpu/cpuid.h>

/* SDM 2A, "JMP - Jump" and 2B, "RET - Return from Procedure". */
enum { JMP_REL32 = 0xe9, JMP_LENGTH = 5, RET = 0xc3 };

static uint8_t *last;                  /* the RET after the last jump */
static uint32_t step;

static void write_jump(uint8_t *at, uint32_t distance)
{
	at[0] = JMP_REL32;
	for (unsigned i = 0; i < 4; i++)
		at[1 + i] = (uint8_t)((distance - JMP_LENGTH) >> 8 * i);
}

/*
 * CPUID serialises, so that what was written as data is fetched as code afterwards (SDM 3A,
 * "Handling Self- and Cross-Modifying Code").
 */
void pmu_code_write(uint32_t stride, uint32_t count)
{
	uint32_t size;
	uint8_t *arena = pmu_workload_arena(&size);

	step = stride;
	for (uint32_t i = 0; i < count; i++)
		write_jump(arena + i * stride, stride);
	last = arena + count * stride;
	*last = RET;
	cpuid_read(0, 0);
}

void pmu_code_walk(uint32_t rounds, uint32_t argument)
{
	uintptr_t start = (uintptr_t)last - (uintptr_t)rounds * step;

	(void)argument;
	((void (*)(void))start)();
}

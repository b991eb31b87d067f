/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/smp_tests.h>

#include <arch/cpu/cpuid.h>
#include <arch/smp/kinds.h>
#include <kernel/lib/format.h>
#include <tests/suites/common/needs.h>

unsigned smp_first_other(void)
{
	FOR_EACH_OTHER(cpu)
		return cpu;
	return 0;
}

unsigned smp_find(bool is_sibling)
{
	const struct topology *own = &smp_get(0)->topology;

	FOR_EACH_OTHER(cpu) {
		const struct topology *other = &smp_get(cpu)->topology;

		if ((other->package == own->package && other->core == own->core) == is_sibling)
			return cpu;
	}
	return 0;
}

const char *need_secondaries(struct test_ctx *t)
{
	if (smp_first_other())
		return NULL;
	return test_reason(t, "1 processor runs");
}

static const char *need(struct test_ctx *t, bool is_sibling, const char *what)
{
	const char *reason = need_secondaries(t);

	if (reason || smp_find(is_sibling))
		return reason;
	return test_reason(t, "no processor is %s the boot processor's core, by %s", what,
	                   smp_get(0)->topology.source);
}

const char *need_siblings(struct test_ctx *t)
{
	return need(t, true, "another thread of");
}

const char *need_two_cores(struct test_ctx *t)
{
	return need(t, false, "outside of");
}

const char *need_kinds(struct test_ctx *t)
{
	const char *problem = need_arch_v2(t);

	if (problem || kinds_count() > 1)
		return problem;
	return test_reason(t, "one kind of processors runs: CPUID.7.0:EDX[15] = %u, CPUID.1AH:EAX "
	                   "= %" PRIX32 "H", cpuid_get(CPUID_HYBRID), cpuid_core());
}

void smp_do_on_all(struct test_ctx *t, execute_part_fn part, uintptr_t argument)
{
	FOR_EACH_OTHER(cpu)
		secondaries_begin(t, cpu, part, argument);
	FOR_EACH_OTHER(cpu)
		secondaries_join(t, cpu);
}

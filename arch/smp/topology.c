/* SPDX-License-Identifier: MIT */
#include <arch/smp/topology.h>

#include <stdbool.h>
#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/interrupts/local_apic.h>

#define LEAF_TOPOLOGY     0x0bu
#define LEAF_TOPOLOGY_V2  0x1fu
#define LEVELS_MAX        8             /* more levels than there are types */
#define FAMILY_ZEN        0x17

static uint32_t get(topology_cpuid cpuid, struct cpuid_field field)
{
	return cpuid_pick(cpuid(field.leaf, field.subleaf), field);
}

/* Returns the number of bits that numbers below count take. */
static unsigned width_of(unsigned count)
{
	unsigned bits = 0;

	while (1u << bits < count)
		bits++;
	return bits;
}

/*
 * package_bits is the width of thread and core together, below 32. The core's width cannot be
 * negative.
 */
static void split(struct topology *t, unsigned thread_bits, unsigned package_bits)
{
	if (package_bits < thread_bits)
		package_bits = thread_bits;
	t->thread_bits = thread_bits;
	t->core_bits = package_bits - thread_bits;
	t->thread = t->apic_id & ((1u << thread_bits) - 1);
	t->core = (t->apic_id & ((1u << package_bits) - 1)) >> thread_bits;
	t->package = t->apic_id >> package_bits;
}

/*
 * The last level's shift is the width below the package. Leaf 0BH has threads and cores only: other
 * types are reserved, and at least one emulator reports packages as the third.
 */
static bool find_by_levels(struct topology *t, topology_cpuid cpuid, uint32_t leaf)
{
	unsigned thread_bits = 0, package_bits = 0;

	if (!cpuid_pick(cpuid(leaf, 0), CPUID_LEVEL_COUNT))
		return false;
	t->apic_id = cpuid_pick(cpuid(leaf, 0), CPUID_X2APIC_ID);
	for (uint32_t i = 0; i < LEVELS_MAX; i++) {
		struct cpuid_result level = cpuid(leaf, i);
		uint32_t type = cpuid_pick(level, CPUID_LEVEL_TYPE);
		uint32_t shift = cpuid_pick(level, CPUID_LEVEL_SHIFT);

		if (type == CPUID_LEVEL_TYPE_INVALID)
			break;
		if (leaf == LEAF_TOPOLOGY && type > CPUID_LEVEL_TYPE_CORE)
			continue;
		if (type == CPUID_LEVEL_TYPE_SMT)
			thread_bits = shift;
		if (shift > package_bits)
			package_bits = shift;
		if (cpuid_pick(level, CPUID_LEVEL_COUNT) > UINT64_C(1) << shift)
			t->problem = "a level of CPUID.0BH or 1FH has more logical processors in "
			             "EBX[15:0] than IDs of EAX[4:0] bits";
	}
	split(t, thread_bits, package_bits);
	return true;
}

/*
 * In a Bulldozer's compute unit cores count as cores; since Zen leaf 8000001EH reports threads
 * instead.
 */
static unsigned amd_threads_per_core(topology_cpuid cpuid)
{
	unsigned family = get(cpuid, CPUID_BASE_FAMILY) + get(cpuid, CPUID_EXTENDED_FAMILY);

	if (family < FAMILY_ZEN || !get(cpuid, CPUID_TOPOLOGY_EXTENSIONS))
		return 1;
	return get(cpuid, CPUID_THREADS_PER_CORE) + 1;
}

static unsigned count_logical(topology_cpuid cpuid)
{
	return get(cpuid, CPUID_HTT) ? get(cpuid, CPUID_LOGICAL_COUNT) : 1;
}

/*
 * AMD defined this leaf, and others copied it. Intel keeps the register reserved, but QEMU fills it
 * for Intel's processors, too. Zeros mean a single core, or a processor from before there were two.
 */
static bool find_by_amd(struct topology *t, topology_cpuid cpuid)
{
	unsigned size = get(cpuid, CPUID_APIC_ID_SIZE), count = get(cpuid, CPUID_NC) + 1;

	if (cpuid_vendor(cpuid(0, 0)) == VENDOR_INTEL || (size == 0 && count == 1))
		return false;
	if (count < count_logical(cpuid))
		count = count_logical(cpuid);
	t->source = "CPUID.80000008H";
	split(t, width_of(amd_threads_per_core(cpuid)), size ? size : width_of(count));
	return true;
}

/* SDM: the IDs of cores share the number of logical processors, rounded up to a power of two. */
static void find_by_counts(struct topology *t, topology_cpuid cpuid)
{
	unsigned package_bits = width_of(count_logical(cpuid)), core_bits = 0;

	t->source = "CPUID.1";
	if (get(cpuid, CPUID_CACHE_TYPE)) {
		t->source = "CPUID.4 and 1";
		core_bits = width_of(get(cpuid, CPUID_CORE_ID_LAST) + 1);
	}
	split(t, core_bits < package_bits ? package_bits - core_bits : 0, package_bits);
}

struct topology topology_find(topology_cpuid cpuid, uint32_t local_apic_id)
{
	struct topology t = { .problem = NULL };

	t.source = "CPUID.1FH";
	if (find_by_levels(&t, cpuid, LEAF_TOPOLOGY_V2))
		return t;
	t.source = "CPUID.0BH";
	if (find_by_levels(&t, cpuid, LEAF_TOPOLOGY))
		return t;
	t.apic_id = get(cpuid, CPUID_SSE2) ? get(cpuid, CPUID_INITIAL_APIC_ID) : local_apic_id;
	if (!find_by_amd(&t, cpuid))
		find_by_counts(&t, cpuid);
	return t;
}

struct topology topology_of_this(void)
{
	return topology_find(cpuid_read, apic_get_state()->is_present ? apic_get_id() : 0);
}

static bool is_same_core(const struct topology *a, const struct topology *b)
{
	return a->package == b->package && a->core == b->core;
}

/* Each package, core and thread is counted at its first occurrence. */
struct topology_count topology_count(const struct topology *const *t, unsigned count)
{
	struct topology_count result = { 0, 0, 0 };

	for (unsigned i = 0; i < count; i++) {
		bool is_package = true, is_core = true, is_thread = true;

		for (unsigned j = 0; j < i; j++) {
			is_package = is_package && t[j]->package != t[i]->package;
			is_core = is_core && !is_same_core(t[j], t[i]);
			is_thread = is_thread && !(is_same_core(t[j], t[i])
			                           && t[j]->thread == t[i]->thread);
		}
		result.packages += is_package;
		result.cores += is_core;
		result.threads += is_thread;
	}
	return result;
}

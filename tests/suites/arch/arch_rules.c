/* SPDX-License-Identifier: MIT */
#include <tests/suites/arch/arch_rules.h>

#include <stddef.h>

#include <arch/cpu/cpuid.h>
#include <arch/regs/perfmon.h>
#include <arch/regs/table.h>
#include <kernel/machine/machine.h>
#include <tests/suites/common/silicon/silicon.h>

#define WRMSR_ "SDM 2C, WRMSR: a bit that is reserved raises #GP(0)"

/* SDM 2A, CPUID. */
#define HLE              CPUID_FIELD(0x07, 0, EBX,  4,  4)
#define SGX              CPUID_FIELD(0x07, 0, EBX,  2,  2)
#define PROCESSOR_TRACE  CPUID_FIELD(0x07, 0, EBX, 25, 25)
#define NO_ANYTHREAD     CPUID_FIELD(0x0a, 0, EDX, 15, 15)
#define PT_LOGS_EVENTS   CPUID_FIELD(0x14, 0, EBX,  9,  9)
#define LBR_LOGS_EVENTS  CPUID_FIELD(0x1c, 0, ECX, 19, 16)
#define HAS_EQ           CPUID_PERFMON_EQ
#define HAS_USER_DISABLE CPUID_FIELD(0x23, 0, EBX,  2,  2)
#define ARCH_PEBS        CPUID_FIELD(0x23, 0, EAX,  5,  4)

#define CAPABILITY_METRICS_CLEAR BIT(19)

/* ---------------------------------------------------------------------------- conditions */

typedef bool condition(const struct pmu *p, unsigned counter);

static bool is_model(const uint8_t *models, size_t count)
{
	const struct cpu_identity *cpu = machine_cpu();

	for (size_t i = 0; i < count; i++)
		if (cpu->vendor == VENDOR_INTEL && cpu->family == 6 && cpu->model == models[i])
			return true;
	return false;
}

/*
 * Pin control is documented as reserved from Sandy Bridge on, but some later processors accept it:
 * only processors before Sandy Bridge must have it.
 */
static bool has_pin_control(const struct pmu *p, unsigned counter)
{
	static const uint8_t models[] = {
		0x0e, 0x0f, 0x16, 0x17, 0x1d,                    /* Core, Core 2 */
		0x1a, 0x1e, 0x1f, 0x2e, 0x25, 0x2c, 0x2f,        /* Nehalem, Westmere */
		0x1c, 0x26, 0x27, 0x35, 0x36,                    /* Atom before Silvermont */
	};

	(void)p, (void)counter;
	return is_model(models, COUNT_OF(models));
}

/* Silvermont, Airmont and Goldmont ignore the bit: SDM 3B, their sections. */
static bool ignores_anythread(const struct pmu *p, unsigned counter)
{
	static const uint8_t models[] = {
		0x37, 0x4a, 0x4d, 0x5a, 0x5d, 0x4c, 0x75, 0x5c, 0x5f, 0x7a,
	};

	(void)p, (void)counter;
	return is_model(models, COUNT_OF(models));
}

static bool has_anythread(const struct pmu *p, unsigned counter)
{
	(void)counter;
	return p->version == 3 || p->version == 4;
}

/* AnyThread is deprecated there: software must not set the bits, and the manual does
 * not say what they do. */
static bool has_anythread_perhaps(const struct pmu *p, unsigned counter)
{
	(void)counter;
	return p->version >= 5;
}

static bool has_rtm(const struct pmu *p, unsigned counter)
{
	(void)p, (void)counter;
	return cpuid_get(CPUID_RTM) || cpuid_get(HLE);
}

static bool has_checkpoint(const struct pmu *p, unsigned counter)
{
	return has_rtm(p, counter) && counter == 2;
}

/* The manual gives this bit to counter 2 of Haswell to Skylake only. */
static bool has_checkpoint_perhaps(const struct pmu *p, unsigned counter)
{
	return has_rtm(p, counter) && p->version >= 5;
}

/* Microcode of 2021 turned TSX off; whether the bits became reserved, no source says. */
static bool had_rtm(const struct pmu *p, unsigned counter)
{
	static const uint8_t models[] = { ON_HASWELL, ON_BROADWELL, ON_SKL_TO_CML };

	(void)p, (void)counter;
	return !pmu_is_exact() && is_model(models, COUNT_OF(models));
}

static bool has_baseline(const struct pmu *p, unsigned counter)
{
	(void)counter;
	return (p->capabilities & IA32_PERF_CAPABILITIES_PEBS_BASELINE) != 0;
}

static bool has_metrics(const struct pmu *p, unsigned counter)
{
	(void)counter;
	return (p->capabilities & IA32_PERF_CAPABILITIES_PERF_METRICS) != 0;
}

static bool may_have_metrics(const struct pmu *p, unsigned counter)
{
	(void)counter;
	return pmu_may_hide_metrics(p);
}

static bool has_metrics_clear(const struct pmu *p, unsigned counter)
{
	(void)counter;
	return (p->capabilities & CAPABILITY_METRICS_CLEAR) != 0;
}

#define CPUID_CONDITION(name, field) \
	static bool name(const struct pmu *p, unsigned counter) \
	{ \
		(void)p, (void)counter; \
		return cpuid_get(field) != 0; \
	}

CPUID_CONDITION(has_umask2, CPUID_PERFMON_UMASK2)
CPUID_CONDITION(has_eq, HAS_EQ)
CPUID_CONDITION(has_user_disable, HAS_USER_DISABLE)
CPUID_CONDITION(has_lbr_events, LBR_LOGS_EVENTS)
CPUID_CONDITION(has_pt_events, PT_LOGS_EVENTS)
CPUID_CONDITION(has_trace, PROCESSOR_TRACE)
CPUID_CONDITION(has_sgx, SGX)
CPUID_CONDITION(has_arch_pebs, ARCH_PEBS)

static bool refuses_topa(const struct pmu *p, unsigned counter)
{
	(void)p;
	(void)counter;
	return silicon_has(SILICON_STATUS_SET_55);
}

#define VERSION_CONDITION(n) \
	static bool is_v##n(const struct pmu *p, unsigned counter) \
	{ \
		(void)counter; \
		return p->version >= n; \
	}

VERSION_CONDITION(3)
VERSION_CONDITION(4)

/* ---------------------------------------------------------------------------- bits of counters */

static uint64_t each_gp(void)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < ARCH_GP_MAX; i++)
		if (arch_has_gp(pmu_get(), i))
			bits |= BIT(i);
	return bits;
}

static uint64_t fixed_fields(uint64_t field, unsigned step, unsigned shift,
                             bool (*has)(const struct pmu *, unsigned))
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < ARCH_FIXED_MAX; i++)
		if (has(pmu_get(), i))
			bits |= field << (step * i + shift);
	return bits;
}

#define NIBBLE_ENABLES (IA32_FIXED_CTR_CTRL_EN_OS(0) | IA32_FIXED_CTR_CTRL_EN_USR(0))

static uint64_t perhaps_gp(void)
{
	uint64_t bits = 0;

	for (unsigned i = 0; i < ARCH_GP_MAX; i++)
		if (pmu_may_hide_gp(pmu_get(), i))
			bits |= BIT(i);
	return bits;
}

static uint64_t each_fixed(void)         { return fixed_fields(1, 1, 32, arch_has_fixed); }
static uint64_t perhaps_fixed(void)      { return fixed_fields(1, 1, 32, pmu_may_hide_fixed); }
static uint64_t nibble_any(void)
{
	return fixed_fields(IA32_FIXED_CTR_CTRL_ANY(0), 4, 0, arch_has_fixed);
}
static uint64_t nibble_rest(void)
{
	return fixed_fields(NIBBLE_ENABLES | IA32_FIXED_CTR_CTRL_PMI(0), 4, 0, arch_has_fixed);
}
static uint64_t nibble_perhaps(void)
{
	return fixed_fields(IA32_FIXED_CTR_CTRL_NIBBLE(0), 4, 0, pmu_may_hide_fixed);
}

/* Four bits for each counter leave room for eight counters from bit 32 on. */
static bool has_low_fixed(const struct pmu *p, unsigned i) { return i < 8 && arch_has_fixed(p, i); }
static uint64_t nibble_adaptive(void)    { return fixed_fields(1, 4, 32, has_low_fixed); }
static uint64_t adaptive_perhaps(void)   { return fixed_fields(1, 4, 32, pmu_may_hide_fixed); }
static uint64_t nibble_user(void)        { return fixed_fields(1, 4, 33, has_low_fixed); }

/* ---------------------------------------------------------------------------- the rules */

/* The first rule that holds for a bit decides; a bit without one is reserved. */
struct rule {
	uint64_t bits;
	uint64_t (*find)(void);                /* instead of bits, where counters decide */
	condition *when;                       /* NULL: always */
	enum arch_kind kind;
	const char *source;
};

#define V1_BITS \
	(IA32_PERFEVTSEL_EVENT_SELECT | IA32_PERFEVTSEL_UMASK | IA32_PERFEVTSEL_USR \
	 | IA32_PERFEVTSEL_OS | IA32_PERFEVTSEL_E | IA32_PERFEVTSEL_INT | IA32_PERFEVTSEL_EN \
	 | IA32_PERFEVTSEL_INV | IA32_PERFEVTSEL_CMASK)

#define BITS(b, w, k, s)  { .bits = (b), .when = (w), .kind = (k), .source = (s) }
#define EACH(f, w, k, s)  { .find = (f), .when = (w), .kind = (k), .source = (s) }

#define EARLY  "leaf 0AH shows too few"

static const struct rule perfevtsel[] = {
	BITS(V1_BITS,                  NULL,                   ARCH_DEFINED, V1),
	BITS(IA32_PERFEVTSEL_PC,       has_pin_control,        ARCH_DEFINED, V1 ", PC"),
	BITS(IA32_PERFEVTSEL_PC,       NULL,                   ARCH_OPEN,    "SDM 4"),
	BITS(IA32_PERFEVTSEL_ANY,      ignores_anythread,      ARCH_OPEN,    "SDM 3B: ignored"),
	BITS(IA32_PERFEVTSEL_ANY,      has_anythread,          ARCH_DEFINED, V3 ", AnyThread"),
	BITS(IA32_PERFEVTSEL_ANY,      has_anythread_perhaps,  ARCH_OPEN,    V5 ", deprecated"),
	BITS(IA32_PERFEVTSEL_IN_TX,    has_rtm,                ARCH_DEFINED, MSRS ", IN_TX"),
	BITS(IA32_PERFEVTSEL_IN_TXCP,  has_checkpoint,         ARCH_DEFINED, MSRS ", IN_TXCP"),
	BITS(IA32_PERFEVTSEL_IN_TXCP,  has_checkpoint_perhaps, ARCH_OPEN,    MSRS ", IN_TXCP"),
	BITS(IA32_PERFEVTSEL_IN_TX | IA32_PERFEVTSEL_IN_TXCP, had_rtm, ARCH_OPEN, MSRS ", TSX off"),
	BITS(IA32_PERFEVTSEL_ADAPTIVE, has_baseline,           ARCH_DEFINED, V5 ", PEBS"),
	BITS(IA32_PERFEVTSEL_BR_CNTR,  has_lbr_events,         ARCH_OPEN,    "CPUID.1CH:ECX"),
	BITS(IA32_PERFEVTSEL_EQ,       has_eq,                 ARCH_DEFINED, V6 ", EQ"),
	BITS(IA32_PERFEVTSEL_UMASK2,   has_umask2,             ARCH_DEFINED, V6 ", UMASK2"),
	BITS(BIT(37),                  has_user_disable,       ARCH_DEFINED, "CPUID.23H.0:EBX[2]"),
	BITS(FIELD(63, 32),            has_pt_events,          ARCH_OPEN,    "CPUID.14H:EBX[9]"),
};

static const struct rule fixed_ctr_ctrl[] = {
	EACH(nibble_rest,     NULL,                  ARCH_DEFINED, V2),
	BITS(BIT(14),         has_metrics_clear,     ARCH_OPEN,    "PERF_CAPABILITIES[19]"),
	EACH(nibble_any,      ignores_anythread,     ARCH_OPEN,    "SDM 3B: ignored"),
	EACH(nibble_any,      has_anythread,         ARCH_DEFINED, V3 ", AnyThread"),
	EACH(nibble_any,      has_anythread_perhaps, ARCH_OPEN,    V5 ", deprecated"),
	EACH(nibble_adaptive, has_baseline,          ARCH_DEFINED, V5 ", PEBS"),
	EACH(nibble_user,     has_user_disable,      ARCH_OPEN,    "CPUID.23H.0:EBX"),
	EACH(nibble_perhaps,  NULL,                  ARCH_OPEN,    EARLY),
	EACH(adaptive_perhaps, has_baseline,         ARCH_OPEN,    EARLY),
};

static const struct rule global_ctrl[] = {
	EACH(each_gp,                          NULL,        ARCH_DEFINED, V2),
	EACH(each_fixed,                       NULL,        ARCH_DEFINED, V2),
	BITS(IA32_PERF_GLOBAL_CTRL_EN_METRICS, has_metrics, ARCH_DEFINED, V5),
	BITS(IA32_PERF_GLOBAL_CTRL_EN_METRICS, may_have_metrics, ARCH_OPEN, EARLY),
	EACH(perhaps_gp,                       NULL,        ARCH_OPEN,    EARLY),
	EACH(perhaps_fixed,                    NULL,        ARCH_OPEN,    EARLY),
};

/* Bit 61, which the manual gives to one model only, and bit 63 of _SET, on which the manual
 * contradicts itself, are never judged. */
static const struct rule global_ovf_ctrl[] = {
	EACH(each_gp,                             NULL,          ARCH_DEFINED, V2),
	EACH(each_fixed,                          NULL,          ARCH_DEFINED, V2),
	BITS(IA32_PERF_GLOBAL_STATUS_OVF_BUFFER,  NULL,          ARCH_DEFINED, V2),
	BITS(IA32_PERF_GLOBAL_STATUS_COND_CHGD,   NULL,          ARCH_DEFINED, V2),
	BITS(IA32_PERF_GLOBAL_STATUS_OVF_METRICS, has_metrics,   ARCH_DEFINED, V5),
	BITS(BIT(54),                             has_arch_pebs, ARCH_OPEN,    V6),
	BITS(IA32_PERF_GLOBAL_STATUS_TRACE_TOPA,  has_trace,     ARCH_DEFINED, V4),
	BITS(IA32_PERF_GLOBAL_STATUS_LBR_FRZ,     is_v4,         ARCH_DEFINED, V4),
	BITS(IA32_PERF_GLOBAL_STATUS_CTR_FRZ,     is_v4,         ARCH_DEFINED, V4),
	BITS(IA32_PERF_GLOBAL_STATUS_ASCI,        has_sgx,       ARCH_DEFINED, V4),
	BITS(IA32_PERF_GLOBAL_STATUS_ASCI,        is_v4,         ARCH_OPEN,    V4 ", SGX"),
	BITS(IA32_PERF_GLOBAL_STATUS_OVF_UNCORE,  is_v3,         ARCH_OPEN,    MSRS),
	BITS(IA32_PERF_GLOBAL_STATUS_OVF_METRICS, may_have_metrics, ARCH_OPEN, EARLY),
	EACH(perhaps_gp,                          NULL,          ARCH_OPEN,    EARLY),
	EACH(perhaps_fixed,                       NULL,          ARCH_OPEN,    EARLY),
};

static const struct rule global_status_set[] = {
	EACH(each_gp,                             NULL,          ARCH_DEFINED, V4),
	EACH(each_fixed,                          NULL,          ARCH_DEFINED, V4),
	BITS(IA32_PERF_GLOBAL_STATUS_OVF_METRICS, has_metrics,   ARCH_DEFINED, V5),
	BITS(BIT(54),                             has_arch_pebs, ARCH_OPEN,    V6),
	BITS(IA32_PERF_GLOBAL_STATUS_TRACE_TOPA,  refuses_topa,  ARCH_OPEN,    "erratum SKL051"),
	BITS(IA32_PERF_GLOBAL_STATUS_TRACE_TOPA,  has_trace,     ARCH_DEFINED, V4),
	BITS(IA32_PERF_GLOBAL_STATUS_LBR_FRZ,     NULL,          ARCH_DEFINED, V4),
	BITS(IA32_PERF_GLOBAL_STATUS_CTR_FRZ,     NULL,          ARCH_DEFINED, V4),
	BITS(IA32_PERF_GLOBAL_STATUS_ASCI,        has_sgx,       ARCH_DEFINED, V4),
	BITS(IA32_PERF_GLOBAL_STATUS_ASCI,        NULL,          ARCH_OPEN,    V4 ", SGX"),
	BITS(IA32_PERF_GLOBAL_STATUS_OVF_UNCORE,  NULL,          ARCH_OPEN,    MSRS),
	BITS(IA32_PERF_GLOBAL_STATUS_OVF_BUFFER,  NULL,          ARCH_DEFINED, V4),
	BITS(IA32_PERF_GLOBAL_STATUS_COND_CHGD,   NULL,          ARCH_OPEN,    V4 ", disputed"),
	BITS(IA32_PERF_GLOBAL_STATUS_OVF_METRICS, may_have_metrics, ARCH_OPEN, EARLY),
	EACH(perhaps_gp,                          NULL,          ARCH_OPEN,    EARLY),
	EACH(perhaps_fixed,                       NULL,          ARCH_OPEN,    EARLY),
};

#define RULES(table) { (table), COUNT_OF(table) }
static const struct { const struct rule *rule; size_t count; } rules[ARCH_REGISTERS] = {
	[ARCH_PERFEVTSEL]        = RULES(perfevtsel),
	[ARCH_FIXED_CTR_CTRL]    = RULES(fixed_ctr_ctrl),
	[ARCH_GLOBAL_CTRL]       = RULES(global_ctrl),
	[ARCH_GLOBAL_OVF_CTRL]   = RULES(global_ovf_ctrl),
	[ARCH_GLOBAL_STATUS_SET] = RULES(global_status_set),
};

enum arch_kind arch_bit(enum arch_register r, unsigned counter, unsigned bit, const char **source)
{
	for (size_t i = 0; i < rules[r].count; i++) {
		const struct rule *rule = &rules[r].rule[i];
		uint64_t bits = rule->find ? rule->find() : rule->bits;

		if (!(bits & BIT(bit)) || (rule->when && !rule->when(pmu_get(), counter)))
			continue;
		*source = rule->source;
		return rule->kind;
	}
	*source = WRMSR_;
	return ARCH_RESERVED;
}

uint64_t arch_bits(enum arch_register r, unsigned counter, enum arch_kind kind)
{
	uint64_t bits = 0;
	const char *source;

	for (unsigned bit = 0; bit < 64; bit++)
		if (arch_bit(r, counter, bit, &source) == kind)
			bits |= BIT(bit);
	return bits;
}

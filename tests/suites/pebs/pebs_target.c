/* SPDX-License-Identifier: MIT */
#include <tests/suites/pebs/pebs_target.h>

#include <stddef.h>

#include <arch/cpu/insn.h>
#include <arch/modes/low_memory.h>
#include <arch/modes/modes.h>
#include <arch/regs/cpu.h>
#include <arch/regs/table.h>
#include <kernel/lib/string.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>
#include <tests/suites/common/silicon/silicon.h>

#define TRIES      3u
#define MOST_PMIS  64u
#define IS_64      (sizeof(uintptr_t) == 8)

const char *need_pebs_code(struct test_ctx *t)
{
	const char *reason = need_pebs(t);

	if (!reason && !pebs_event_name(0))
		return test_reason(t, "no event that PEBS records is known for this processor");
	return reason ? reason : need_pmi_lvtpc(t);
}

const char *need_pebs_status(struct test_ctx *t)
{
	const char *reason = need_pebs_code(t);

	if (!reason && !has_status())
		return test_reason(t, "IA32_PERF_GLOBAL_STATUS does not exist: the PMU "
		                      "is %s, version %u",
		                   pmu_get()->class->name, pmu_get()->version);
	return reason;
}

/* ---------------------------------------------------------------------------- code */

/*
 * An instruction that causes one event, moves one register and changes no flag. LODSD and STOSD go
 * downwards with DF = 1. after: events of the INT that ends the code.
 */
struct pebs_guilty {
	const char *event;
	uint8_t size[2], code[2][4];   /* in 32 bits, in 64 */
	enum pebs_field moves;
	int step;
	bool follows_df, is_data;
	uint8_t prefix, after;        /* events of an instruction before it; of the INT */
};

static const struct pebs_guilty guilties[] = {
	{ "loads", { 1, 1 }, { { 0xad }, { 0xad } },           /* LODSD */
	  PEBS_SI, 4, .follows_df = true, .is_data = true },
	{ "stores", { 1, 1 }, { { 0xab }, { 0xab } },          /* STOSD */
	  PEBS_DI, 4, .follows_df = true, .is_data = true },
	{ "instructions", { 3, 4 },                            /* LEA xCX, [xCX + 1] */
	  { { 0x8d, 0x49, 0x01 }, { 0x48, 0x8d, 0x49, 0x01 } }, PEBS_CX, 1,
	  .prefix = 1, .after = 1 },
	{ "branches", { 2, 2 }, { { 0xe2, 0x00 }, { 0xe2, 0x00 } },    /* LOOP $ + 2 */
	  PEBS_CX, -1, .after = 1 },
};
enum { GUILTIES = COUNT_OF(guilties), MOV_R64 = 10, HIGH_REGISTERS = 8 };

static uint8_t code[HIGH_REGISTERS * MOV_R64 + 4 * PEBS_CODE_MAX];
static unsigned code_size;
static uint32_t data[2 * PEBS_CODE_MAX + 1];   /* used from the middle on, to both sides */
static const struct pebs_guilty *guilty;
static uint32_t flags_in;

static const struct pebs_guilty *guilty_of(const char *event)
{
	for (unsigned i = 0; i < GUILTIES; i++)
		if (strcmp(guilties[i].event, event) == 0)
			return &guilties[i];
	return NULL;
}

static bool is_recorded(const char *event)
{
	return pebs_find(event) && !(strcmp(event, "instructions") == 0
	                             && silicon_has(SILICON_PDIR_SHORT));
}

const char *pebs_event_name(unsigned i)
{
	for (unsigned j = 0; j < GUILTIES; j++)
		if (is_recorded(guilties[j].event) && i-- == 0)
			return guilties[j].event;
	return NULL;
}

/* Returns a pattern that no two registers share, in both halves. */
static uint64_t pattern(enum pebs_field field)
{
	return UINT64_C(0x0123456789abcdef) * (2 * field + 1);
}

static void put(const void *bytes, unsigned size)
{
	memcpy(code + code_size, bytes, size);
	code_size += size;
}

/* Executes MOV R8 to R15, imm64, which mode_run() does not set. */
static void put_high_registers(void)
{
	for (unsigned i = 0; i < HIGH_REGISTERS; i++) {
		const uint8_t mov[] = { 0x49, (uint8_t)(0xb8 + i) };
		const uint64_t value = pattern(PEBS_R8 + i);

		put(mov, sizeof(mov));
		put(&value, sizeof(value));
	}
}

struct pebs_target pebs_target(const char *event, unsigned count)
{
	struct pebs_target c = { .event = pebs_find(event), .guilty = guilty_of(event) };

	guilty = c.guilty;
	if (!c.event || !guilty || count > PEBS_CODE_MAX)
		test_abort("no code of %u %s", count, event);
	for (unsigned i = 0; i < COUNT_OF(data); i++)
		data[i] = 0xda7a0000u + i;
	code_size = 0;
	if (IS_64)
		put_high_registers();
	c.count = count;
	c.first = LOW_CODE_BASE + code_size;
	c.size = guilty->size[IS_64];
	c.before = IS_64 ? guilty->prefix * HIGH_REGISTERS : 0;
	c.after = guilty->after;
	for (unsigned i = 0; i < count; i++)
		put(guilty->code[IS_64], c.size);
	return c;
}

static uint64_t start_of(enum pebs_field field)
{
	if (field == PEBS_SI || field == PEBS_DI)
		return (uintptr_t)&data[PEBS_CODE_MAX];
	if (field == PEBS_SP)
		return LOW_STACK_TOP;
	if (field >= PEBS_R8 && field <= PEBS_R15 && !IS_64)
		return 0;
	return (uintptr_t)pattern(field);
}

void pebs_run_target(uint32_t rounds, uint32_t argument)
{
	const struct mode_regs regs = {
		.ax = (uintptr_t)start_of(PEBS_AX), .bx = (uintptr_t)start_of(PEBS_BX),
		.cx = (uintptr_t)start_of(PEBS_CX), .dx = (uintptr_t)start_of(PEBS_DX),
		.si = (uintptr_t)start_of(PEBS_SI), .di = (uintptr_t)start_of(PEBS_DI),
		.bp = (uintptr_t)start_of(PEBS_BP), .flags = argument,
	};

	(void)rounds;
	flags_in = argument;
	mode_run(MODE_CPL3, code, code_size, &regs);
}

static struct pmu_setup plain(struct pebs_use *use, const struct pebs_target *c, unsigned counter)
{
	struct pmu_setup s = pebs_setup(use, c->event, counter, PMU_USR, 0);

	s.flags &= ~(unsigned)PMU_ADAPTIVE;
	return s;
}

/* On NetBurst PEBS needs tags: here they are on as for a record that is never due. */
uint64_t pebs_events(const struct pebs_target *c, unsigned counter)
{
	struct pebs_use use;
	struct pmu_setup s = plain(&use, c, counter);

	pmu_program(&s, 1);
	if (pmu_has(PMU_HAS_CCCRS))
		pebs_enable(&s, 1);
	pmu_window(pebs_run_target, 0, flags_in);
	if (pmu_has(PMU_HAS_CCCRS))
		pebs_disable();
	return pmu_read(counter);
}

/* Loads and stores of the INT come after the code; those of the IRET are CPL 0's. */
uint64_t pebs_prefix(const struct pebs_target *c, unsigned counter)
{
	return c->guilty->is_data ? 0 : pebs_events(c, counter) - c->count - c->after;
}

/* ---------------------------------------------------------------------------- records */

static int step_of(const struct pebs_target *c)
{
	return c->guilty->follows_df && (flags_in & EFLAGS_DF) ? -c->guilty->step : c->guilty->step;
}

unsigned pebs_ordinal(const struct pebs_target *c, unsigned i)
{
	const uint64_t mask = UINT64_MAX >> (64 - 8 * pebs_layout()->width);
	const enum pebs_field field = c->guilty->moves;
	uint64_t value;

	if (!pebs_get(i, field, &value))
		return c->count + 1;
	for (unsigned n = 0; n <= c->count; n++)
		if (((value ^ pebs_expected(c, field, n)) & mask) == 0)
			return n;
	return c->count + 1;
}

/* Returns the address that access number ordinal, from 1, uses. */
static const uint32_t *accessed(const struct pebs_target *c, unsigned ordinal)
{
	const int distance = (int)ordinal - 1;

	return &data[PEBS_CODE_MAX] + (step_of(c) < 0 ? -distance : distance);
}

uint64_t pebs_expected(const struct pebs_target *c, enum pebs_field field, unsigned ordinal)
{
	const struct pebs_guilty *g = c->guilty;

	if (field == PEBS_ADDRESS)
		return g->is_data && ordinal ? (uintptr_t)accessed(c, ordinal) : 0;
	if (field == PEBS_AX && g->moves == PEBS_SI && ordinal)
		return *accessed(c, ordinal);
	if (field == g->moves)
		return (uintptr_t)(start_of(field)
		                   + (uint64_t)((int64_t)step_of(c) * (int)ordinal));
	return start_of(field);
}

/* ---------------------------------------------------------------------------- windows */

void pebs_go_on(void)
{
	if (pmi_get_log()->count > MOST_PMIS)
		pmi_set_mask(true);
	else
		pmi_acknowledge();
}

static void go_on(struct frame *f)
{
	(void)f;
	pebs_go_on();
}

static struct pebs_seen run_once(const struct pebs_window *w, void (*on_pmi)(struct frame *f))
{
	struct pebs_seen seen = { 0 };

	pebs_window_begin(w);
	pmi_listen(PMI_NMI, on_pmi ? on_pmi : go_on);
	seen.tsc_before = tsc_read();
	pmu_window(w->code, w->rounds, w->argument);
	seen.tsc_after = tsc_read();
	pmi_settle();
	pebs_window_end();
	pmi_stop();
	seen.status = pmu_status();
	return seen;
}

struct pebs_seen pebs_run(const struct pebs_window *w, void (*on_pmi)(struct frame *f))
{
	struct pebs_seen seen = run_once(w, on_pmi);

	for (unsigned i = 1; i < TRIES && pmi_get_log()->unsure; i++)
		seen = run_once(w, on_pmi);
	return seen;
}

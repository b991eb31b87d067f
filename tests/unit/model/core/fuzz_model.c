/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Fuzzes the model: the input chooses a processor, a quirk, how many processors there are, and then
 * calls as an emulator makes them. Whatever they are, the state stays sound; without a quirk it
 * also obeys the manual. One processor is looked at closely; the others are two more, a thread of
 * its core and another package, if the input wants them.
 */
#include <model/defects/quirks.h>
#include <tests/unit/model/core/fuzz_model_input.h>
#include <tests/unit/model/core/fuzz_model_sound.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { ROWS = 27, QUIRKS = 512 };       /* numbers beyond the last quirk are none */

/* ------------------------------------------------------------------------------ calls */

static uint32_t take_register(struct input *input)
{
	return family_of(subject.row) == 0xf ? take_netburst_msr(input) :
	       take_msr(input);
}

static uint64_t take_its_value(struct input *input)
{
	return family_of(subject.row) == 0xf ? take_netburst_value(input) :
	       take_value(input);
}

/* A write that faults changes nothing that can be read. */
static void write_register(struct input *input)
{
	struct machine *machine = &subject.machine;
	uint32_t msr = take_register(input);
	uint64_t value = take_its_value(input), before = 0, after = 0;
	bool is_read_first = take(input, 1) & 1;
	enum model_status could_read = is_read_first ? machine_read(machine, msr, &before) :
	                               MODEL_GP;
	enum model_status status;

	status = machine_write(machine, msr, value);
	REQUIRE(status == MODEL_OK || status == MODEL_GP || status == MODEL_NOT_MINE);
	if (status == MODEL_OK || could_read != MODEL_OK || subject.has_quirk)
		return;
	REQUIRE(machine_read(machine, msr, &after) == MODEL_OK);
	REQUIRE(before == after);
}

static void read_register(struct input *input)
{
	uint32_t msr = take_register(input);
	uint64_t first = 0, second = 0;
	enum model_status status = machine_read(&subject.machine, msr, &first);

	REQUIRE(status == MODEL_OK || status == MODEL_GP || status == MODEL_NOT_MINE);
	REQUIRE(status == MODEL_OK || first == 0);
	REQUIRE(machine_read(&subject.machine, msr, &second) == status);
	REQUIRE(first == second || subject.has_quirk);
}

static void rdpmc(struct input *input)
{
	static const uint32_t types[] = { 0, 0x40000000, 0x20000000, 0x80000000 };
	unsigned byte = (unsigned)take(input, 1), cpl = byte >> 6;
	uint32_t ecx = byte & 32 ? (uint32_t)take(input, 4) : types[byte & 3] | (byte >> 2 & 7);
	bool is_pce = take(input, 1) & 1;
	uint64_t value = 0;
	enum model_status status = machine_rdpmc(&subject.machine, ecx, cpl, is_pce, &value);

	REQUIRE(status == MODEL_OK || status == MODEL_GP || status == MODEL_UD);
	REQUIRE(subject.has_quirk || (status == MODEL_UD) == !subject.row->has_rdpmc);
	if (subject.has_quirk || status != MODEL_OK)
		return;
	REQUIRE(cpl == 0 || is_pce);
	REQUIRE(ecx == 0x20000000 || value <= ONES(subject.row->gp_width));
}

static void cpuid(struct input *input)
{
	uint32_t leaf = (uint32_t)take(input, 1), subleaf = (uint32_t)take(input, 1);
	uint32_t regs[4], again[4];

	for (unsigned i = 0; i < 4; i++)
		again[i] = regs[i] = (uint32_t)take(input, 4);
	model_cpuid(&subject.machine.model, leaf, subleaf, regs);
	model_cpuid(&subject.machine.model, leaf, subleaf, again);
	REQUIRE(memcmp(regs, again, sizeof(regs)) == 0);
}

static void retire(struct input *input)
{
	uint8_t byte = (uint8_t)take(input, 1), kind = (byte & 15) % MODEL_BRANCHES;
	struct machine *machine = &subject.machine;

	machine_retire(machine, (struct model_insn) {
		.ip = machine->ip, .length = (uint8_t)(1 + byte % 15),
		.next_ip = byte & 16 ? take(input, 8) : machine->ip + 1 + byte % 15,
		.cpl = machine->cpl,
		.cpl_after = byte & 32 ? (uint8_t)(take(input, 1) & 3) : machine->cpl,
		.branch = kind, .is_taken = kind > MODEL_JCC || byte & 16,
		.traits = byte & 64 ? take(input, 1 + (byte & 4)) : 0,
		.segments = byte & 8 ? (uint8_t)take(input, 1) : 0,
		.breakpoints = byte & 8, .is_if_clear = byte & 2, .is_interrupt_pending = byte & 1,
	});
}

/* Not beyond a page, as model.h asks. */
static void reach_memory(struct input *input)
{
	unsigned byte = (unsigned)take(input, 1), size = 1u << byte % 7;
	uint64_t linear = take(input, byte & 8 ? 8 : 3), physical = linear;

	linear &= ~(uint64_t)(size - 1);
	if (byte & 16)
		physical = (take(input, 4) << 12) | (linear & 0xfff);
	if (subject.machine.model.is_watched)
		model_access(&subject.machine.model, (byte >> 6) % 3, linear, physical, size,
		             byte >> 5 & 1);
}

/* Halted for so long as it said, and in two parts. */
static void halt(struct input *input)
{
	struct machine *machine = &subject.machine;
	uint64_t cycles = take(input, 1 + (unsigned)take(input, 1) % 5), left, then;

	machine->may_raise = true;
	left = model_halt(&machine->model);
	REQUIRE(left > 0);
	then = model_halted(&machine->model, cycles < left ? cycles : left);
	machine->may_raise = false;
	REQUIRE(then > 0);
	if (!subject.has_quirk)
		REQUIRE(left == UINT64_MAX && then == UINT64_MAX);
}

static void lvtpc(struct input *input)
{
	uint32_t value = (uint32_t)take(input, 3);
	struct model_lvtpc answer = model_lvtpc(&subject.machine.model, value);

	if (subject.has_quirk)
		return;
	REQUIRE(answer.lvtpc == value || answer.lvtpc == (value | LVTPC_MASK));
	REQUIRE(!answer.is_delivered || !(value & LVTPC_MASK));
}

static void ignore_pmi(void *context)
{
	model_lvtpc(context, LVTPC_NMI);
}

/* Another processor does something. It may raise the first one's PMI: AnyThread. */
static void step_other(struct input *input)
{
	unsigned byte = (unsigned)take(input, 1);
	struct model *m = &subject.other[byte & 1].model;
	struct model_insn insn = { .ip = take(input, 2), .length = 4, .cpl = byte >> 1 & 3,
	                           .cpl_after = byte >> 1 & 3 };
	uint64_t value;

	if (!subject.others || (byte & 1) >= subject.others)
		return;
	subject.machine.may_raise = true;
	switch (byte >> 3 & 7) {
	case 0: case 1: model_wrmsr(m, take_register(input), take_its_value(input)); break;
	case 2: model_rdmsr(m, take_register(input), &value); break;
	case 3: model_reset(m, byte >> 6 & 1 ? MODEL_RESET_INIT : MODEL_RESET_HARDWARE); break;
	case 4: model_halt(m); model_halted(m, insn.ip); break;
	default:
		if (!m->is_watched)
			break;
		model_access(m, byte >> 6 & 1, insn.ip << 6, insn.ip << 6, 8, true);
		model_retire(m, &insn);
		break;
	}
	subject.machine.may_raise = false;
}

/* An exception, or an interrupt; its first instruction may come later. */
static void enter(struct input *input, unsigned vector)
{
	struct machine *machine = &subject.machine;
	uint8_t cpl = take(input, 1) & 1 ? 0 : machine->cpl;

	machine_enter(machine, vector >= 2, vector, machine->ip, cpl);
	if (vector & 8)
		machine_arrive(machine);
}

static void step(struct input *input)
{
	struct machine *machine = &subject.machine;
	struct model *m = &machine->model;
	unsigned byte = (unsigned)take(input, 1);

	switch (byte % 16) {
	case 0: case 1: case 2: write_register(input); break;
	case 3: read_register(input); break;
	case 4: rdpmc(input); break;
	case 5: cpuid(input); break;
	case 6: machine_nops(machine, byte >> 4); break;
	case 7: case 8: retire(input); break;
	case 9: reach_memory(input); break;
	case 10: halt(input); break;
	case 11: lvtpc(input); break;
	case 12:
		if (byte >> 7)
			lay_out_guest(input);
		else
			machine->lvtpc = byte >> 4 << 8 | 0x40;
		break;
	case 13:
		machine->may_raise = true;
		model_reset(m, byte / 16 % 3);
		machine->may_raise = false;
		subject.last_cycles = 0;
		break;
	case 14: require_registers(); break;
	default:
		if (byte >> 4 >= 8)
			step_other(input);
		else if (m->is_watched && byte >> 4 < 6)
			enter(input, byte >> 4);
		else if (m->is_watched && byte >> 4 < 7)
			model_io(m, byte & 16, (uint32_t)take(input, 2), 1u << take(input, 1) % 3);
		else if (m->is_watched)
			model_tlb_flush(m);
		break;
	}
}

/* Preparing a package empties its last-level cache, which takes long: each pair does it once. */
static const struct model_rules *rules_of(unsigned row, unsigned quirk)
{
	static struct model_rules prepared[ROWS][QUIRKS];
	struct model_rules *rules = &prepared[row][quirk];
	struct model_package *package = &subject.machine.package;
	struct model_core *core = &subject.machine.core;
	const struct model_quirk *changed = model_quirk_at(quirk);
	struct model_identity identity;
	enum model_created created;

	if (!rules->name) {
		identity = machine_identity(model_rules_at(row)->cpuid_1_eax);
		memset(subject.machine.package_memory, 0, PACKAGE_BYTES);
		model_machine_create(&subject.machine.all);
		REQUIRE(model_package_create(package, &subject.machine.all, identity));
		REQUIRE(model_core_create(core, package, identity, 1,
		                          changed ? changed->name : NULL, &created));
		memcpy(rules, &core->rules, sizeof(*rules));
	}
	return rules;
}

/* The last-level cache stays as it is: the model empties it whenever counting starts. */
static void create(unsigned row, unsigned quirk, unsigned others)
{
	struct machine *machine = &subject.machine;
	static const uint64_t bases[] = { 0x400000, 0xffffc000, -(uint64_t)GUEST_SIZE };
	struct model_host host[OTHERS] = { { .raise_pmi = ignore_pmi, GUEST_HOST },
	                                   { .raise_pmi = ignore_pmi, GUEST_HOST } };

	for (unsigned i = 0; i < OTHERS; i++)
		host[i].context = &subject.other[i].model;
	guest_restart(bases[quirk % 3], 0);
	guest.will_write = require_write;
	machine->core.rules = *rules_of(row, quirk);
	machine_restart(machine);
	subject.others = others;
	if (others > 0)
		model_create(&subject.other[0].model, &machine->core, &host[0]);
	if (others > 1) {
		subject.core.rules = machine->core.rules;
		subject.package.machine = &machine->all;
		subject.package.active = 0;
		cache_package_create(&subject.package.caches, &machine->all.caches,
		                     &subject.core.rules.caches, &subject.package + 1);
		machine_clear_core(&subject.core, &subject.package);
		model_create(&subject.other[1].model, &subject.core, &host[1]);
	}
	machine->pmis = machine->delivered = 0;
	machine->may_raise = machine->has_raised_wrongly = false;
	machine->lvtpc = LVTPC_NMI;
	machine->ip = 0x100000;
	machine->cpl = 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input input = { data, data + size };
	unsigned first = (unsigned)take(&input, 1), row = first % ROWS;
	unsigned others = first / ROWS % (OTHERS + 1), high = first / ROWS / (OTHERS + 1);
	unsigned quirk = (high << 8 | (unsigned)take(&input, 1)) % QUIRKS;

	if (!model_quirk_at(quirk))
		quirk = QUIRKS - 1;
	create(row, quirk, others);
	subject.has_quirk = model_quirk_at(quirk) && model_quirk_at(quirk)->test;
	subject.row = model_rules_at(row);
	subject.last_cycles = 0;
	REQUIRE(!model_quirk_at(QUIRKS - 1));
	while (input.next < input.end) {
		step(&input);
		require_sound(&subject.machine.model);
	}
	return 0;
}

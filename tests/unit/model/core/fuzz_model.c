/* SPDX-License-Identifier: MIT */
/* LINK: model/ */
/*
 * Fuzzes the model: the input chooses a processor, the number of processors, and then calls as an
 * emulator makes them. Whatever the calls are, the state must stay sound and obey the manual. One
 * processor is checked closely; the input may add two others, a thread of its core and another
 * package.
 */
#include <tests/unit/model/core/fuzz_model_input.h>
#include <tests/unit/model/core/fuzz_model_sound.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { NETBURST_WIDTH = 40 };           /* no field of the rules: it is always 40 */
enum { ROWS = 43 };

/* ------------------------------------------------------------------------------ calls */

static uint32_t take_register(struct input *input)
{
	if (is_amd(subject.row))
		return take_amd_msr(input);
	return family_of(subject.row) == 0xf ? take_netburst_msr(input) :
	       take_msr(input);
}

static uint64_t take_its_value(struct input *input)
{
	if (is_amd(subject.row))
		return take_amd_value(input);
	return family_of(subject.row) == 0xf ? take_netburst_value(input) :
	       take_value(input);
}

/* Writes a register. A write that faults must change nothing that can be read. */
static void write_register(struct input *input)
{
	struct machine *machine = &subject.machine;
	uint32_t msr = take_register(input);
	uint64_t value = take_its_value(input), before = 0, after = 0;
	bool is_read_first = take(input, 1) & 1;
	enum refpmu_status could_read = is_read_first ? machine_read(machine, msr, &before) :
	                                REFPMU_GP;
	enum refpmu_status status;

	status = machine_write(machine, msr, value);
	REQUIRE(status == REFPMU_OK || status == REFPMU_GP || status == REFPMU_NOT_MINE);
	if (status == REFPMU_OK || could_read != REFPMU_OK)
		return;
	REQUIRE(machine_read(machine, msr, &after) == REFPMU_OK);
	REQUIRE(before == after);
}

static void read_register(struct input *input)
{
	uint32_t msr = take_register(input);
	uint64_t first = 0, second = 0;
	enum refpmu_status status = machine_read(&subject.machine, msr, &first);

	REQUIRE(status == REFPMU_OK || status == REFPMU_GP || status == REFPMU_NOT_MINE);
	REQUIRE(status == REFPMU_OK || first == 0);
	REQUIRE(machine_read(&subject.machine, msr, &second) == status);
	REQUIRE(first == second);
}

static void rdpmc(struct input *input)
{
	static const uint32_t types[] = { 0, 0x40000000, 0x20000000, 0x80000000 };
	unsigned byte = (unsigned)take(input, 1), cpl = byte >> 6;
	uint32_t ecx = byte & 32 ? (uint32_t)take(input, 4) : types[byte & 3] | (byte >> 2 & 7);
	bool is_pce = take(input, 1) & 1;
	unsigned width = subject.row->counters.gp_width;
	uint64_t value = 0;
	enum refpmu_status status = machine_rdpmc(&subject.machine, ecx, cpl, is_pce, &value);

	REQUIRE(status == REFPMU_OK || status == REFPMU_GP || status == REFPMU_UD);
	REQUIRE((status == REFPMU_UD) == !subject.row->registers.has_rdpmc);
	if (status != REFPMU_OK)
		return;
	REQUIRE(cpl == 0 || is_pce);
	if (!is_amd(subject.row))       /* there a merged pair has 64 bits */
		REQUIRE(ecx == 0x20000000 || value <= ONES(width > 0 ? width : NETBURST_WIDTH));
}

static void cpuid(struct input *input)
{
	uint32_t leaf = (uint32_t)take(input, 1), subleaf = (uint32_t)take(input, 1);
	uint32_t regs[4], again[4];

	for (unsigned i = 0; i < 4; i++)
		again[i] = regs[i] = (uint32_t)take(input, 4);
	refpmu_cpuid(&subject.machine.model, leaf, subleaf, regs);
	refpmu_cpuid(&subject.machine.model, leaf, subleaf, again);
	REQUIRE(memcmp(regs, again, sizeof(regs)) == 0);
}

static void retire(struct input *input)
{
	uint8_t byte = (uint8_t)take(input, 1), kind = (byte & 15) % REFPMU_BRANCHES;
	struct machine *machine = &subject.machine;

	machine_retire(machine, (struct refpmu_insn) {
		.ip = machine->ip, .length = (uint8_t)(1 + byte % 15),
		.next_ip = byte & 16 ? take(input, 8) : machine->ip + 1 + byte % 15,
		.cpl = machine->cpl,
		.cpl_after = byte & 32 ? (uint8_t)(take(input, 1) & 3) : machine->cpl,
		.branch = kind, .is_taken = kind > REFPMU_JCC || byte & 16,
		.traits = byte & 64 ? take(input, 1 + (byte & 4)) : 0,
		.segments = byte & 8 ? (uint8_t)take(input, 1) : 0,
		.breakpoints = byte & 8, .is_if_clear = byte & 2, .is_interrupt_pending = byte & 1,
	});
}

/* Accesses memory, not across the end of a page, as refpmu.h demands. */
static void reach_memory(struct input *input)
{
	unsigned byte = (unsigned)take(input, 1), size = 1u << byte % 7;
	uint64_t linear = take(input, byte & 8 ? 8 : 3), physical = linear;

	linear &= ~(uint64_t)(size - 1);
	if (byte & 16)
		physical = (take(input, 4) << 12) | (linear & 0xfff);
	if (subject.machine.model.is_watched)
		refpmu_access(&subject.machine.model, (byte >> 6) % 3, linear, physical, size,
		              byte >> 5 & 1);
}

/* Halts the processor. No counter may overflow meanwhile, because none counts. */
static void halt(struct input *input)
{
	struct machine *machine = &subject.machine;
	uint64_t cycles = take(input, 1 + (unsigned)take(input, 1) % 5);

	machine->may_raise = true;
	REQUIRE(refpmu_halt(&machine->model) == UINT64_MAX);
	REQUIRE(refpmu_halted(&machine->model, cycles) == UINT64_MAX);
	machine->may_raise = false;
}

static void lvtpc(struct input *input)
{
	uint32_t value = (uint32_t)take(input, 3);
	struct refpmu_lvtpc answer = refpmu_lvtpc(&subject.machine.model, value);

	REQUIRE(answer.lvtpc == value || answer.lvtpc == (value | LVTPC_MASK));
	REQUIRE(!answer.is_delivered || !(value & LVTPC_MASK));
}

static void ignore_pmi(void *context)
{
	refpmu_lvtpc(context, LVTPC_NMI);
}

/* Lets another processor do something. It may raise the first one's PMI (AnyThread). */
static void step_other(struct input *input)
{
	unsigned byte = (unsigned)take(input, 1);
	struct refpmu_cpu *m = &subject.other[byte & 1].model;
	struct refpmu_insn insn = { .ip = take(input, 2), .length = 4, .cpl = byte >> 1 & 3,
	                            .cpl_after = byte >> 1 & 3 };
	uint64_t value;

	if (!subject.others || (byte & 1) >= subject.others)
		return;
	subject.machine.may_raise = true;
	switch (byte >> 3 & 7) {
	case 0: case 1: refpmu_wrmsr(m, take_register(input), take_its_value(input)); break;
	case 2: refpmu_rdmsr(m, take_register(input), &value); break;
	case 3: refpmu_reset(m, byte >> 6 & 1 ? REFPMU_RESET_INIT : REFPMU_RESET_HARDWARE); break;
	case 4: refpmu_halt(m); refpmu_halted(m, insn.ip); break;
	default:
		if (!m->is_watched)
			break;
		refpmu_access(m, byte >> 6 & 1, insn.ip << 6, insn.ip << 6, 8, true);
		refpmu_retire(m, &insn);
		break;
	}
	subject.machine.may_raise = false;
}

/* Changes EFER.SVME, or enters or leaves a guest, with any controls and fields. */
static void switch_guest(struct input *input, unsigned bits)
{
	struct refpmu_cpu *m = &subject.machine.model;
	struct refpmu_vm vm = { .has_lbr_virtualization = bits & 1, .is_failed = bits & 2 };

	vm.entry_controls = vm.exit_controls = (uint32_t)take(input, 4);
	vm.guest.debugctl = take_its_value(input);
	vm.guest.global_ctrl = vm.host.global_ctrl = vm.guest.lbr_ctl = take_its_value(input);
	switch (bits >> 2) {
	case 0: refpmu_svme(m, bits & 1); break;
	case 1: refpmu_vm_exited(m, &vm); break;
	default:
		if (refpmu_vm_check(m, &vm) == REFPMU_VM_PASSES)
			refpmu_vm_entered(m, &vm);
	}
}

/* Delivers an exception or an interrupt; the handler's first instruction may come later. */
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
	struct refpmu_cpu *m = &machine->model;
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
		refpmu_reset(m, byte / 16 % 3);
		machine->may_raise = false;
		subject.last_cycles = 0;
		break;
	case 14:
		require_registers();
		machine->may_raise = true;
		switch_guest(input, byte >> 4);
		machine->may_raise = false;
		break;
	default:
		if (byte >> 4 >= 8)
			step_other(input);
		else if (m->is_watched && byte >> 4 < 6)
			enter(input, byte >> 4);
		else if (m->is_watched && byte >> 4 < 7)
			refpmu_io(m, byte & 16, (uint32_t)take(input, 2), 1u << take(input, 1) % 3);
		else if (m->is_watched)
			refpmu_tlb_flush(m);
		break;
	}
}

/*
 * Returns the rules of a row. Preparing a package empties its last-level cache, which takes long,
 * so each row does it once.
 */
static const struct model_rules *rules_of(unsigned row)
{
	static struct model_rules prepared[ROWS];
	struct model_rules *rules = &prepared[row];
	struct refpmu_package *package = &subject.machine.package;
	struct refpmu_core *core = &subject.machine.core;
	struct refpmu_identity identity;

	if (!rules->name) {
		identity = machine_identity(model_rules_at(row)->cpuid_1_eax);
		identity.core_type = (uint8_t)(model_rules_at(row)->registers.leaf_1a >> 24);
		memset(subject.machine.package_memory, 0, PACKAGE_BYTES);
		refpmu_machine_create(&subject.machine.all);
		REQUIRE(refpmu_package_create(package, &subject.machine.all, identity));
		REQUIRE(refpmu_core_create(core, package, identity, 1));
		memcpy(rules, &core->rules, sizeof(*rules));
	}
	return rules;
}

/*
 * Creates the processors. The last-level cache stays as it is, because the model empties it
 * whenever counting starts.
 */
static void create(unsigned row, unsigned others, unsigned base)
{
	struct machine *machine = &subject.machine;
	static const uint64_t bases[] = { 0x400000, 0xffffc000, -(uint64_t)GUEST_SIZE };
	struct refpmu_host host[OTHERS] = { { .raise_pmi = ignore_pmi, GUEST_HOST },
	                                    { .raise_pmi = ignore_pmi, GUEST_HOST } };

	for (unsigned i = 0; i < OTHERS; i++)
		host[i].context = &subject.other[i].model;
	guest_restart(bases[base], 0);
	guest.will_write = require_write;
	machine->core.rules = *rules_of(row);
	machine_restart(machine);
	subject.others = others;
	if (others > 0)
		refpmu_cpu_create(&subject.other[0].model, &machine->core, &host[0]);
	if (others > 1) {
		subject.core.rules = machine->core.rules;
		subject.package.machine = &machine->all;
		subject.package.active = 0;
		subject.package.counts = false;
		cache_package_create(&subject.package.caches, &machine->all.caches,
		                     &subject.core.rules.caches, &subject.package + 1);
		machine_clear_core(&subject.core, &subject.package);
		refpmu_cpu_create(&subject.other[1].model, &subject.core, &host[1]);
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
	unsigned others = first / ROWS % (OTHERS + 1), base = (unsigned)take(&input, 1) % 3;

	create(row, others, base);
	subject.row = model_rules_at(row);
	subject.last_cycles = 0;
	while (input.next < input.end) {
		step(&input);
		require_sound(&subject.machine.model);
	}
	return 0;
}

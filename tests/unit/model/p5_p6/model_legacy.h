/* SPDX-License-Identifier: MIT */
/*
 * Programs P5 and P6 for the model's unit tests. The processors and their registers are typed from
 * the manual and not from the model's tables.
 */
#ifndef TESTS_UNIT_MODEL_P5_P6_MODEL_LEGACY_H
#define TESTS_UNIT_MODEL_P5_P6_MODEL_LEGACY_H

#include <tests/unit/model/core/model_machine.h>
#include <tests/unit/unit.h>

enum { PENTIUM = 0x52c, PENTIUM_MMX = 0x543, PENTIUM_PRO = 0x619, PENTIUM_II = 0x634,
       PENTIUM_III = 0x673, BANIAS = 0x695, DOTHAN = 0x6d8 };

enum { P6_INST_RETIRED = 0xc0, P6_CLOCKS = 0x79 };

#define P6_CPUS { PENTIUM_PRO, PENTIUM_II, PENTIUM_III, BANIAS, DOTHAN }
#define P5_CPUS { PENTIUM, PENTIUM_MMX }

/* Makes a value of CESR: event select and CC of a counter. */
#define CC(n, select, control) ((uint64_t)((select) | (control) << 6) << (16 * (n)))
enum { CC_OS = 1, CC_USR = 2, CC_ALL = 3, CC_CLOCKS = 4 };

/* Returns a text such as "cpu 634H: select 2EH", valid until the next call. */
__attribute__((format(printf, 2, 3)))
static inline const char *of_cpu(uint32_t signature, const char *format, ...)
{
	static char text[160];
	int length = snprintf(text, sizeof(text), "cpu %XH: ", signature);
	__builtin_va_list args;

	__builtin_va_start(args, format);
	vsnprintf(text + length, sizeof(text) - (size_t)length, format, args);
	__builtin_va_end(args);
	return text;
}

/* Returns the machine of all tests, created anew by each call. */
static inline struct machine *begin(uint32_t signature)
{
	static struct machine machine;

	check_true(of_cpu(signature, "created"), machine_create(&machine, signature, 1));
	return &machine;
}

static inline uint64_t get(struct machine *machine, uint32_t msr)
{
	uint64_t value = 0;

	check_eq_u64("RDMSR", machine_read(machine, msr, &value), REFPMU_OK);
	return value;
}

static inline void put(struct machine *machine, uint32_t msr, uint64_t value)
{
	check_eq_u64("WRMSR", machine_write(machine, msr, value), REFPMU_OK);
}

/* Makes the counter count this event from 0, in all rings; the other one stops. */
static inline void p6_count(struct machine *machine, unsigned counter, uint64_t evtsel)
{
	put(machine, EVTSEL0, 0);
	put(machine, EVTSEL0 + 1, 0);
	put(machine, PMC0 + counter, 0);
	put(machine, EVTSEL0 + counter, OS | USR | evtsel);
	put(machine, EVTSEL0, get(machine, EVTSEL0) | EN);
}

static inline void p5_count(struct machine *machine, unsigned counter, uint64_t select,
                            uint64_t control)
{
	put(machine, CESR, 0);
	put(machine, CTR0 + counter, 0);
	put(machine, CESR, CC(counter, select, control));
}

/* Retires a two-byte instruction with these traits and nothing else. */
static inline void do_kind(struct machine *machine, uint64_t traits)
{
	machine_retire(machine, (struct refpmu_insn) {
		.ip = machine->ip, .next_ip = machine->ip + 2, .length = 2, .traits = traits,
		.cpl = machine->cpl, .cpl_after = machine->cpl,
	});
}

/* Retires such an instruction with an access of so many bytes. */
static inline void do_access(struct machine *machine, enum refpmu_access kind, uint64_t address,
                             unsigned size, uint64_t traits)
{
	machine_access(machine, kind, address, size);
	do_kind(machine, traits);
}

static inline void do_io(struct machine *machine, bool is_write, unsigned count)
{
	while (count--) {
		if (machine->model.is_watched)
			refpmu_io(&machine->model, is_write, 0x80, 1);
		do_kind(machine, 0);
	}
}

/* Moves the code back to the start of its line. */
static inline void stay(struct machine *machine)
{
	machine->ip &= ~UINT64_C(31);
}

#endif

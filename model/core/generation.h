/* SPDX-License-Identifier: MIT */
/*
 * A generation of processors: its own behaviour, as a table of functions. The rules of a processor
 * (rules.h) name its generation; code that several share calls through it and knows none of them.
 */
#ifndef MODEL_CORE_GENERATION_H
#define MODEL_CORE_GENERATION_H

#include <model/state/state.h>

struct model_taken;                    /* records.h */
struct model_msr_row;                  /* msrs.h */
struct model_event;                    /* event_rows.h */

/* Describes a number of equal cycles. */
struct model_equal_cycles {
	uint64_t cycles;
	uint64_t bus_ticks;            /* clocks of the bus in all of these cycles */
	uint32_t per_cycle[SIGNALS];
};

/* Names the event before which everything under way has to end. */
enum model_finish { MODEL_BEFORE_HALT, MODEL_BEFORE_WRITE };

/* A member may be NULL only if its comment says so; there is nothing to do then. */
struct model_generation {
	/* Its registers: tables of rows (msrs.h), then NULL. */
	const struct model_msr_row *msrs[6];
	/* The events of counters that count by rows (steps.h); the last row has no counters. May be
	 * NULL: then no counter does. */
	const struct model_event *events;
	bool ds_fault_shuts_down;      /* a fault in BTS' part of the debug store area does */

	/*
	 * Retires an instruction with few effects, by the fast path. Returns false, and does
	 * nothing, if the instruction has more. May be NULL.
	 */
	bool (*retire_fast)(struct refpmu_cpu *m, const struct refpmu_insn *insn);
	/* Returns whether plain instructions of this ring may be gathered from now on: nothing
	 * looks at single ones, and no counter can overflow. Retires those gathered. May be
	 * NULL. */
	bool (*may_gather)(struct refpmu_cpu *m);
	void (*retire_run)(struct refpmu_cpu *m);
	/* Counts the events of a near branch without a cost, except its retiring, and adds it to
	 * the run. May be NULL: then a run ends there. */
	void (*join_branch)(struct refpmu_cpu *m, const struct refpmu_insn *insn);
	uint64_t barred_traits;        /* struct refpmu_run's */
	/* Retires an instruction with this cost. m->ring is already the instruction's ring. */
	void (*retire)(struct refpmu_cpu *m, const struct refpmu_insn *insn,
	               const struct cache_cost *cost);
	/* Does the work of refpmu_access(). */
	void (*access)(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
	               uint64_t physical, unsigned size, bool is_cacheable);
	/* Counts the delivery of an interrupt or exception; entry is ENTRY_. */
	void (*enter)(struct refpmu_cpu *m, unsigned entry);
	/* Writes the records that are due (m->pebs.due) and reloads counters; may make a PMI due.
	 * May be NULL: then nothing makes a record due. */
	void (*write_pebs)(struct refpmu_cpu *m, const struct refpmu_insn *insn);

	/* Makes the plan of what counts what, after a change of a control register. */
	void (*plan)(struct refpmu_cpu *m);
	/* Do the work of model_close() and model_stall(). */
	void (*close)(struct refpmu_cpu *m, unsigned cause);
	void (*stall)(struct refpmu_cpu *m, uint64_t cycles, unsigned cause);
	/* Lets everything end that instructions have started, before the processor halts or one of
	 * the PMU's registers is written. May be NULL. */
	void (*finish)(struct refpmu_cpu *m, enum model_finish before);
	/* Called when something begins to count m, which has nothing under way; and when nothing
	 * counts m any more. May be NULL. */
	void (*start)(struct refpmu_cpu *m);
	void (*stop)(struct refpmu_cpu *m);

	/* Describes the PMU in other leaves than refpmu_cpuid() itself. May be NULL. */
	void (*cpuid)(const struct model_rules *r, uint32_t leaf, uint32_t regs[4]);
	/* Passes the overflow of this general counter on to another one, and returns true, if it is
	 * no overflow. May be NULL. */
	bool (*carries)(struct refpmu_cpu *m, unsigned index);
	/* Reads the counter that RDPMC selects by ecx; returns false if it does not exist. */
	bool (*read_counter)(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value);
	/* Puts the generation's own state into that after RESET or INIT. May be NULL. */
	void (*reset)(struct refpmu_cpu *m, enum refpmu_reset kind);
	/* Stops what DEBUGCTL says that a PMI stops. May be NULL. */
	void (*freeze)(struct refpmu_cpu *m);
	/* Returns whether a source holds a request for a PMI asserted. May be NULL. */
	bool (*has_line)(const struct refpmu_cpu *m);

	/* Return which fields of a VM entry this processor refuses, and do the work of
	 * refpmu_vm_entered() and refpmu_vm_exited(). May be NULL. */
	enum refpmu_vm_check (*vm_check)(const struct model_rules *r, const struct refpmu_vm *vm);
	enum refpmu_branch (*vm_enter)(struct refpmu_cpu *m, const struct refpmu_vm *vm);
	void (*vm_exit)(struct refpmu_cpu *m, struct refpmu_vm *vm);

	/* Say whether last branches are recorded; record one, and that an exception or interrupt
	 * came; clear what #DB clears. May be NULL, all four: as on Intel's processors. */
	bool (*is_lbr_on)(const struct refpmu_cpu *m);
	void (*lbr_record)(struct refpmu_cpu *m, const struct model_taken *taken);
	void (*ler_record)(struct refpmu_cpu *m);
	void (*lbr_debug)(struct refpmu_cpu *m);

	/* Called when the processor has halted, or waits for a SIPI. May be NULL. */
	void (*halt)(struct refpmu_cpu *m);
};

#endif

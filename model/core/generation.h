/* SPDX-License-Identifier: MIT */
/*
 * A generation of processors: what it does in its own way, as a table of functions. The rules of a
 * processor (rules.h) name its generation; what several generations share calls through the table
 * and knows none of them.
 */
#ifndef MODEL_CORE_GENERATION_H
#define MODEL_CORE_GENERATION_H

#include <model/state/state.h>

struct model_msr_row;                  /* msrs.h */

/* A number of equal cycles. */
struct model_stretch {
	uint64_t cycles;
	uint64_t bus_ticks;            /* in all of them */
	uint32_t per_cycle[SIGNALS];
};

/* What comes next, when what is under way has to end. */
enum model_finish { MODEL_BEFORE_HALT, MODEL_BEFORE_WRITE };

/* A member may be NULL where its comment says so: there is nothing to do then. */
struct model_generation {
	/* Its registers: tables of rows (msrs.h), then NULL. */
	const struct model_msr_row *const *msrs;
	bool ds_fault_shuts_down;      /* a fault in BTS' part of the debug store area does */

	/*
	 * Retires an instruction of which there is little to tell, the short way. Returns false if
	 * it is no such instruction, and then nothing happened yet. Or NULL.
	 */
	bool (*retire_plain)(struct refpmu_cpu *m, const struct refpmu_insn *insn);
	/* Returns whether plain instructions of this ring may be gathered from now on: nothing
	 * looks at single ones, and no counter can overflow. Retires what was gathered. Or NULL. */
	bool (*may_gather)(struct refpmu_cpu *m);
	void (*retire_run)(struct refpmu_cpu *m);
	/* Counts what a near branch that costs nothing counts beside retiring, and joins the run.
	 * Or NULL: a run ends there. */
	void (*join_branch)(struct refpmu_cpu *m, const struct refpmu_insn *insn);
	uint64_t barred_traits;        /* struct refpmu_run's */
	/* Retires an instruction, at this cost. m->ring is its ring already. */
	void (*retire)(struct refpmu_cpu *m, const struct refpmu_insn *insn,
	               const struct cache_cost *cost);
	/* As refpmu_access(). */
	void (*access)(struct refpmu_cpu *m, enum refpmu_access kind, uint64_t linear,
	               uint64_t physical, unsigned size, bool is_cacheable);
	/* An interrupt or exception is delivered: ENTRY_ */
	void (*enter)(struct refpmu_cpu *m, unsigned entry);
	/* Writes the records that are due (m->pebs.due), reloads counters, may make a PMI due. Or
	 * NULL: nothing makes a record due. */
	void (*write_pebs)(struct refpmu_cpu *m, const struct refpmu_insn *insn);

	/* Finds out who counts what, after a change of a control register. */
	void (*plan)(struct refpmu_cpu *m);
	/* As model_close() and model_stall(). */
	void (*close)(struct refpmu_cpu *m, unsigned cause);
	void (*stall)(struct refpmu_cpu *m, uint64_t cycles, unsigned cause);
	/* Lets everything end that instructions have started, before the processor halts or one of
	 * the PMU's registers is written. Or NULL. */
	void (*finish)(struct refpmu_cpu *m, enum model_finish before);
	/* Somebody begins to count what m does, of which nothing is under way; nobody does any
	 * more. Or NULL. */
	void (*start)(struct refpmu_cpu *m);
	void (*stop)(struct refpmu_cpu *m);

	/* Reads the counter that RDPMC means by ecx; returns false if there is none. */
	bool (*read_counter)(struct refpmu_cpu *m, uint32_t ecx, uint64_t *value);
	/* Puts what is its own into the state after RESET or INIT. Or NULL. */
	void (*reset)(struct refpmu_cpu *m, enum refpmu_reset kind);
	/* Stops what DEBUGCTL says that a PMI stops. Or NULL. */
	void (*freeze)(struct refpmu_cpu *m);
	/* Returns whether something asks for a PMI as long as it lasts. Or NULL. */
	bool (*has_line)(const struct refpmu_cpu *m);

	/* The processor has halted, or waits for a SIPI. Or NULL. */
	void (*halt)(struct refpmu_cpu *m);
};

#endif

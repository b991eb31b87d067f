/* SPDX-License-Identifier: MIT */
/*
 * Computes the cost of instructions by small, deterministic caches, TLBs and predictors with the
 * geometry of the modelled processor. This module knows nothing of counters.
 *
 * Facts: size, ways and line of the caches are those of the processor's CPUID leaf 4;
 * entries and ways of the TLBs for 4-KByte pages are those of leaf 2 or leaf 18H.
 *
 * The following is invented, because no manual says it (struct cache_invented has the numbers):
 *  - All cycles. A miss stalls until it is served; nothing overlaps. A store waits for its
 *    translation, not for its line.
 *  - Replacement is LRU everywhere. Reads and writes allocate in every level that they missed. No
 *    level includes another on purpose, and none evicts from another. Written lines go back to
 *    memory unseen: that is no reference and costs nothing. There is no prefetcher.
 *  - Cores and packages agree on lines by MESI, at once and without a cost of its own: an access
 *    that misses costs as much as the level that has the line, wherever else it was. Every other
 *    copy is looked for where it would be; there is no directory. A core that writes a line marks
 *    it in all its levels. A write to a shared line is no reference to the last level, because
 *    nothing is fetched; only an instruction that also reads the line waits, as long as for the
 *    last level. A core's own code cache keeps the lines that this core writes.
 *  - The threads of a core share its caches. Each has TLBs and a predictor of its own, full size.
 *  - A set is the line's number modulo the number of sets, even if leaf 4 says complex indexing.
 *  - One level of TLB, the first; all pages count as 4 KBytes; a walk reads nothing through caches.
 *  - Instructions are fetched by linear address, as if it were the physical one. A line is looked
 *    up when fetching enters it, not again while it stays there.
 *  - The branch predictor is invented as a whole. It learns when a branch retires. Direct and far
 *    branches are always predicted; a far one, as a serialising instruction, is alone in its cycle.
 *
 * P5 and P6 (observes_traffic) have no leaf 4. Their caches and TLBs are those of leaf 2; those of
 * the Pentium, which has no leaf 2, those of its data book. Costs also have evictions, dirty lines
 * and the bus. Not invented: the caches are write-back caches with MESI. The Pentium's data cache
 * allocates no line for a write, which goes to the bus then, as does a write to a shared line,
 * which is exclusive after it. P6 reads for ownership, and locks its cache where it can. The manual
 * also defines what is misaligned. Invented:
 *  - L1D keeps what it has modified until it is replaced or snooped; then L2 has it, if it has
 *    the line, else memory. A line that a store brought is modified in L2 at once. L2 writes
 *    back with what L1D had of the line, which stays there, exclusive. A core that is snooped with
 *    a modified line shares it after a read; P6 hands the line over, and to memory with it, in the
 *    snoop; the Pentium writes it back.
 *  - Reads that miss, upgrades and write-throughs are snooped by the other packages, as if they
 *    had one core each; write-backs and uncacheable ones are not snooped.
 *  - Uncacheable accesses are transactions of at most 8 aligned bytes. Only reads wait for them.
 *    There is no combining, and no code in uncacheable memory. I/O waits for each transaction.
 *  - P6 asserts LOCK# for a locked access that is uncacheable, spans lines or missed all caches.
 *  - Code is fetched in blocks of fetch_bytes. A fetch takes place when fetching enters a block, or
 *    when a taken branch goes there, even if it is the same block again.
 *  - A branch target buffer has near branches that were taken before. A branch in the buffer is
 *    predicted as above, at first as taken. Of other branches, the Pentium predicts that they are
 *    not taken. P6 knows their direct targets and its return stack, and predicts that a conditional
 *    one is taken if it goes backwards; one that is not taken counts as predicted so, because the
 *    model does not know where it would have gone.
 *  - The Pentium pairs an instruction that may start a pair with the next one, if that may end
 *    one, follows it in memory, and neither of them waits; registers that they share are not
 *    looked at. A bank conflict is by bits 4-2 of the first address of both.
 *  - An access that the emulator cut in two at a page's end is taken for one again if the pieces
 *    make 4 or 8 bytes and are not equal; equal pieces look like two accesses of a string
 *    instruction.
 */
#ifndef MODEL_STATE_CACHES_H
#define MODEL_STATE_CACHES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct refpmu_insn;

/* Lists states of a line in a cache: absent; maybe in others, too; alone; alone and written. */
enum cache_state { CACHE_I, CACHE_S, CACHE_E, CACHE_M, CACHE_STATES };

enum cache_request { CACHE_LOAD, CACHE_STORE, CACHE_FETCH, CACHE_REQUESTS };

/*
 * Counts requests that reached L2, the last level or not, by the state of the line there right
 * before. A store reaches L2 if it missed the first level or found its line shared there.
 */
struct cache_l2 {
	uint32_t count[CACHE_REQUESTS][CACHE_STATES];
};

/* Lists bus transactions. Bursts are one line each. */
enum cache_bus {
	CACHE_BUS_BRD = CACHE_LOAD,    /* burst read for data */
	CACHE_BUS_RFO = CACHE_STORE,   /* burst read for a store; P6 */
	CACHE_BUS_IFETCH = CACHE_FETCH,        /* burst read for code */
	CACHE_BUS_WB,                  /* burst write of a modified line */
	CACHE_BUS_INVAL,               /* a shared line is written: others give it up; P6 */
	CACHE_BUS_WRITE_THROUGH,       /* a write to a line that is shared or not in L1D; P5 */
	CACHE_BUS_UC_READ,             /* partial: uncacheable memory */
	CACHE_BUS_UC_WRITE,
	CACHE_BUS_IO_READ,
	CACHE_BUS_IO_WRITE,
	CACHE_BUS_KINDS
};

/*
 * Has the effects of an instruction on the caches and the bus, and those of others on this
 * processor since its last instruction. A REFPMU_READ_WRITE access is two references.
 */
struct cache_traffic {
	/* Data references, as the emulator reports them: one that spans lines counts once. I/O does
	 * not count, except as misaligned if it crosses 4 bytes. */
	uint32_t data_reads, data_writes;
	uint32_t data_updates;                 /* one access that reads and writes: in both */
	uint32_t misaligned;                   /* P6: crosses 8 bytes; P5: 4, if <= 4 */
	uint32_t splits;                       /* span two lines */
	uint32_t split_reads, split_writes;    /* the same by kind; not of P5 and P6 */
	uint32_t data_read_misses;             /* of L1D, by line; includes uncacheable reads */
	uint32_t data_write_misses;            /* not of read-writes; includes uncacheable writes */
	uint32_t write_hits_m_e;               /* writes of a line that L1D has in M or E */
	uint32_t dtlb_misses, itlb_misses;
	uint32_t dtlb_read_misses, dtlb_write_misses;  /* the same by kind; not of P5 and P6 */
	/* Lines. Out: replaced or snooped. A modified line comes into L2 when it becomes
	 * modified there. */
	uint32_t l1d_lines_in, l1d_m_lines_in, l1d_m_lines_out;
	uint32_t l2_lines_in, l2_m_lines_in, l2_lines_out, l2_m_lines_out;
	uint32_t l1i_fetches;                  /* blocks: 16 bytes of P6, 32 of P5 */
	uint32_t l1i_misses;                   /* lines */
	/* The bus. */
	uint32_t bus[CACHE_BUS_KINDS];         /* this processor's transactions */
	uint32_t bus_any[CACHE_BUS_KINDS];     /* all processors' since its last instruction */
	uint32_t bus_locks, bus_locks_any;     /* times that LOCK# was asserted */
	uint32_t snoops;                       /* by other processors */
	uint32_t snoop_hits;                   /* of these, those whose line was in L1D or L2 */
	uint32_t snoop_hitm;                   /* of these, those whose line was modified */
	/* Parts of the cost's stalls. */
	uint32_t itlb_cycles, ifetch_cycles;   /* sum: frontend_cycles */
	uint32_t dtlb_cycles, read_cycles, io_cycles;   /* sum: backend_cycles */
	uint32_t miss_cycles;                  /* time that misses take, of stores, too; no stall */
	/* Pairs of the Pentium: this instruction is in the V pipe, in the previous one's cycle. */
	bool is_in_v_pipe;
	bool are_both_memory;                  /* both of a pair access memory ... */
	bool is_bank_conflict;                 /* ... in the same bank; it costs no cycle */
	/* Branches. */
	bool is_btb_hit;                       /* the target buffer has this branch */
	bool is_predicted_taken;
};

/* Has the effects of an instruction besides retiring. Cycles are stalls before it retires. */
struct cache_cost {
	uint32_t frontend_cycles;      /* instruction cache and TLB */
	uint32_t bad_speculation_cycles;
	uint32_t backend_cycles;       /* data caches and TLB */
	uint32_t load_walks, store_walks, code_walks;  /* misses of the TLBs; not with traffic */
	uint32_t llc_references;       /* missed all levels above the last one; code and data */
	uint32_t llc_misses;           /* of these, those that missed the last level, too */
	const struct cache_l2 *l2;     /* requests to L2, or NULL; valid until the next call */
	const struct cache_traffic *traffic;   /* NULL: no effects; valid until the next call */
	bool is_mispredicted;          /* true only for a branch */
	bool is_alone;                 /* serialising or far: nothing else retires in its cycle */
};

/* ---------------------------------------------------------------------------- geometry */

/* A cache holds sets * ways lines, a TLB sets * ways pages. ways is 0 if it does not exist. */
struct cache_shape {
	uint32_t sets, ways;
};

/* Limits the entries of a predictor. */
enum { CACHE_DIRECTIONS = 1024, CACHE_PATTERNS = 1024, CACHE_TARGETS = 256, CACHE_RETURNS = 16 };

/* Cycles are stalls; entries are powers of two. */
struct cache_invented {
	uint16_t l2_cycles;            /* for a hit of L2, if that is not the last level */
	uint16_t llc_cycles;           /* for a hit of the last level */
	uint16_t memory_cycles;        /* for a miss of the last level */
	uint16_t walk_cycles;          /* for a miss of the TLB; added to the above */
	uint16_t mispredict_cycles;
	uint16_t history_bits;         /* number of conditional branches that patterns see */
	uint16_t direction_entries, pattern_entries, target_entries, return_entries;
};

struct cache_geometry {
	uint32_t line_bytes;           /* of all its caches */
	struct cache_shape l1i, l1d;
	struct cache_shape l2, llc;    /* no L2 here: it is the last level */
	struct cache_shape itlb, dtlb;
	const struct cache_invented *invented;
	bool observes_traffic;         /* costs have struct cache_traffic */
	/* The following members are used only with observes_traffic. */
	bool writes_around;            /* stores allocate no line and write shared lines through */
	bool locks_always;             /* asserts LOCK# even for a line in the cache */
	bool aligns_by_size;           /* up to 4 bytes may not cross 4, instead of 8 */
	bool predicts_unknown;         /* predicts branches that the target buffer does not have */
	bool pairs;
	uint8_t fetch_bytes;           /* a power of two */
	struct cache_shape btb;
};

/* ---------------------------------------------------------------------------- state */

/*
 * Has two-bit counters, 0 and 1 for not taken, 2 and 3 for taken, in direction[] one per branch. An
 * entry of pattern[] belongs to one branch after one history; its counter decides while it is 0 or
 * 3, else direction[] does. Bits of an entry: 15-3 tag, 2 valid, 1-0 counter.
 */
struct cache_predictor {
	uint32_t history;              /* bit 0: the last conditional branch was taken */
	uint32_t return_top;
	/* The geometry decides how many of these are used. */
	uint8_t direction[CACHE_DIRECTIONS];
	uint16_t pattern[CACHE_PATTERNS];
	uint64_t target_ip[CACHE_TARGETS], target[CACHE_TARGETS];
	uint64_t returns[CACHE_RETURNS];
};

/*
 * All structs must be zero bytes before they are created first. Tags are in memory that the creator
 * provides, of cache_package_bytes() and so on, aligned for 64-bit numbers: zero bytes before it is
 * first used, or used with another geometry. It stays in use.
 *
 * Describes a cache or TLB. Its sets follow each other, each with the last used tag first. A tag
 * is a line's or page's number, its state, and a stamp; a tag with a stamp other than the current
 * one is absent. To empty a cache is to take the next stamp.
 */
struct cache_tags {
	struct cache_shape shape;
	uint64_t *tags;
	uint64_t stamp;
};

/* Sums up the bus's transactions so far. */
struct cache_bus_sums {
	uint64_t count[CACHE_BUS_KINDS], locks;
	uint64_t changes;              /* differs when one of these sums does */
};

struct cache_machine {                 /* packages that share memory */
	struct cache_package *packages;
	struct cache_bus_sums bus;
};

struct cache_package {                 /* cores that share the last-level cache */
	const struct cache_geometry *geometry;
	struct cache_machine *machine;
	struct cache_package *next;    /* in the list of the machine */
	struct cache_core *cores;
	struct cache_tags llc;
};

enum { CACHE_THREADS = 2 };            /* of a core, at most */

/* Has the effects of other processors on a core, until an instruction of the core retires. */
struct cache_snooped {
	uint32_t snoops, hits, hitm;
	uint32_t l1d_m_lines_out, l2_lines_out, l2_m_lines_out, write_backs;
};

struct cache_core {                    /* threads that share its caches */
	const struct cache_geometry *geometry;
	struct cache_package *package;
	struct cache_core *next;       /* in the list of the package */
	uint32_t line_bits;            /* log2 of the line's bytes */
	uint64_t fetch_line[CACHE_THREADS];    /* the last one fetched: it hits again */
	struct cache_snooped snooped;  /* with observes_traffic */
	struct cache_tags l1i, l1d;
	struct cache_tags l2;          /* has no ways if L2 is the last level */
};

/* Has the traffic of a thread with observes_traffic, and the state needed to compute it. */
struct cache_observed {
	struct cache_traffic pending, retired;
	bool is_pending;
	/* About the instruction under way. */
	uint64_t access_end;           /* linear, of the last access; NOWHERE before the first */
	uint32_t access_size;
	uint8_t access_kind;
	uint8_t locks;                 /* if it is a locked instruction */
	uint8_t bank;                  /* of its first access */
	uint64_t fast_linear;          /* of a load that hit and is kept apart ... */
	uint32_t fast_size;            /* ... 0: no load is kept */
	bool was_fetched;              /* the last access went to memory */
	/* From one instruction to the next. */
	bool may_pair, pair_has_memory;
	uint8_t pair_bank;
	uint64_t next_ip;
	uint64_t fetch_block;
	struct cache_bus_sums seen;
	struct cache_tags btb;
};

struct caches {                         /* of a thread */
	struct cache_core *core;
	uint32_t thread;               /* of the core: 0 or 1 */
	bool fills_core, fills_last;   /* may bring lines into these caches; set by others */
	uint64_t data_page;            /* the last one used: it hits again */
	struct cache_cost pending;     /* of the instruction under way */
	struct cache_l2 pending_l2, retired_l2;
	bool is_pending;
	bool observes_traffic;         /* its geometry's */
	struct cache_tags itlb, dtlb;
	struct cache_observed observed;
	struct cache_predictor predictor;
};

/* Return the size of the memory that creation takes, in bytes. */
size_t cache_package_bytes(const struct cache_geometry *g);
size_t cache_core_bytes(const struct cache_geometry *g);
size_t cache_thread_bytes(const struct cache_geometry *g);

/* Add a package to a machine, a core to a package, each empty; keep a pointer to the geometry. */
void cache_package_create(struct cache_package *p, struct cache_machine *machine,
                          const struct cache_geometry *geometry, void *memory);
void cache_core_create(struct cache_core *c, struct cache_package *p,
                       const struct cache_geometry *geometry, void *memory);

/* Creates a thread of a core, in the state of cache_forget(); it fills all caches. */
void cache_create(struct caches *u, struct cache_core *c, unsigned thread, void *memory);

/* Empty the last level, or a core's own caches, fast; lines that only they held are in memory. */
void cache_empty_package(struct cache_package *p);
void cache_empty_core(struct cache_core *c);

/* Empties the TLBs and resets the predictor: not taken for each conditional branch, no target
 * known. Drops the effects of the instruction under way. */
void cache_forget(struct caches *u);

/*
 * Makes a memory access of the instruction under way; kind is enum refpmu_access. It may span
 * lines, but not pages. Uncacheable accesses differ only with observes_traffic.
 */
void cache_access(struct caches *u, unsigned kind, uint64_t linear, uint64_t physical,
                  unsigned size, bool is_cacheable);

/* Makes an access to an I/O port, of 1, 2 or 4 bytes. Does nothing without observes_traffic. */
void cache_io(struct caches *u, bool is_write, uint32_t port, unsigned size);

/* Retires the instruction: *cost includes that of its accesses. */
void cache_retire(struct caches *u, const struct refpmu_insn *insn, struct cache_cost *cost);

/* Retires, without observes_traffic, an instruction that neither serialises nor branches far.
 * Returns whether it costs nothing; *cost is not set then. */
bool cache_retire_near(struct caches *u, const struct refpmu_insn *insn, struct cache_cost *cost);

/* Returns, without observes_traffic, whether an instruction that neither serialises nor branches
 * costs nothing. Then cache_retire() would do nothing. */
static inline bool cache_is_free(const struct caches *u, uint64_t ip, unsigned length)
{
	const struct cache_core *c = u->core;
	uint64_t line = c->fetch_line[u->thread];

	return !u->is_pending && ip >> c->line_bits == line &&
	       (ip + length - 1) >> c->line_bits == line;
}

/*
 * The fast path with observes_traffic. A load within 8 aligned bytes that hits L1D and the TLB is
 * kept apart until more is known of its instruction; an instruction without other effects costs
 * nothing. Both return false, and do nothing, if there is more to do: call the functions above
 * then. cache_retire_fast() must not be called for a branch, or for an instruction that pairs.
 */
bool cache_read_fast(struct caches *u, uint64_t linear, uint64_t physical, unsigned size);
bool cache_retire_fast(struct caches *u, const struct refpmu_insn *insn);

/* Retires plain instructions up to this last byte of code; is_reading: the load kept apart, if any,
 * belongs to the next instruction. */
void cache_retire_fast_run(struct caches *u, uint64_t end, bool is_reading);

/* Drops the load kept apart, because its instruction has retired. */
static inline void cache_forget_fast_read(struct caches *u)
{
	u->observed.fast_size = 0;
}

static inline bool cache_has_fast_read(const struct caches *u)
{
	return u->observed.fast_size != 0;
}

/* Drops the accesses of the instruction under way, which faulted. The lines they loaded stay. */
void cache_drop(struct caches *u);

/* Empties both TLBs. */
void cache_tlb_flush(struct caches *u);

/* Returns the number of requests of these kinds to lines in these states; l2 may be NULL. */
static inline uint32_t cache_sum_of(const struct cache_l2 *l2, unsigned requests, unsigned states)
{
	uint32_t sum = 0;

	for (unsigned i = 0; l2 && i < CACHE_REQUESTS; i++)
		for (unsigned s = 0; s < CACHE_STATES; s++)
			if ((requests >> i & 1) && (states >> s & 1))
				sum += l2->count[i][s];
	return sum;
}

/* Returns the next pseudo-random number, and changes *state, which may start with any value. */
uint64_t cache_random(uint64_t *state);

/*
 * Fills caches, TLBs and the predictor with what some other code would leave there, be it much or
 * little; *state decides which code. No cost includes this.
 */
void cache_scramble(struct caches *u, uint64_t *state);

#endif

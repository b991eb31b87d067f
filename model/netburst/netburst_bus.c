/* SPDX-License-Identifier: MIT */
/*
 * Transactions of NetBurst: those that the event masks of IOQ_allocation and BSQ_allocation select,
 * and the number under way. Source: SDM 3B, the notes to these events.
 *
 * Invented: a transaction takes as long as memory does, and others do not wait for it; the
 * sixteenth waits until the first has ended. REQ_TYPE of IOQ_allocation, of which the manual gives
 * only the default value, is ignored. Of BSQ_allocation's independent bits, DEM means no prefetch,
 * which is true of all transactions; each other bit that is set must match. No transaction is
 * ordered or split. Those of other processors are counted as they begin, not followed.
 */
#include <model/netburst/netburst_shared.h>

/* The bits of IOQ_allocation. */
enum { READ = 1 << 5, WRITE = 1 << 6, MEM_UC = 1 << 7, MEM_WB = 1 << 11, OWN = 1 << 13,
       OTHER = 1 << 14 };
enum { ACCESSES = READ | WRITE, MEMORY = 0xf80, SOURCES = OWN | OTHER };
enum { MODEL_2 = 1 << 2 };

/* The bits of BSQ_allocation. */
#define TYPE(n)   (n)                  /* read, read for ownership, write, write-back */
#define LENGTH(n) ((n) << 2)           /* no, one, eight chunks: 0, 1, 3 */
#define MEM(n)    ((n) << 11)          /* UC 0, WB 6 */
enum { IO_TYPE = 1 << 5, CACHE_TYPE = 1 << 7, DEM_TYPE = 1 << 9 };
enum { NUMBERS = TYPE(3) | LENGTH(3) | MEM(7) | DEM_TYPE };
enum { FLAGS = 0x7e0 & ~DEM_TYPE };

#define LINE  (DEM_TYPE | CACHE_TYPE | MEM(6) | LENGTH(3))
#define CHUNK (DEM_TYPE | LENGTH(1))

static const struct { uint16_t ioq, bsq; } bits_of[CACHE_BUS_KINDS] = {
	[CACHE_BUS_BRD]           = { READ | MEM_WB,  TYPE(0) | LINE },
	[CACHE_BUS_RFO]           = { READ | MEM_WB,  TYPE(1) | LINE },
	[CACHE_BUS_IFETCH]        = { READ | MEM_WB,  TYPE(0) | LINE },
	[CACHE_BUS_INVAL]         = { READ | MEM_WB,  TYPE(1) | DEM_TYPE | CACHE_TYPE | MEM(6) },
	[CACHE_BUS_WB]            = { WRITE | MEM_WB, TYPE(3) | LINE },
	[CACHE_BUS_WRITE_THROUGH] = { WRITE | MEM_WB, TYPE(2) | LINE },
	[CACHE_BUS_UC_READ]       = { READ | MEM_UC,  TYPE(0) | CHUNK },
	[CACHE_BUS_UC_WRITE]      = { WRITE | MEM_UC, TYPE(2) | CHUNK },
	[CACHE_BUS_IO_READ]       = { READ | MEM_UC,  TYPE(0) | CHUNK | IO_TYPE },
	[CACHE_BUS_IO_WRITE]      = { WRITE | MEM_UC, TYPE(2) | CHUNK | IO_TYPE },
};

/* All groups of bits must match; before model 2 any one bit is enough. */
bool netburst_is_in_ioq_mask(const struct model_rules *r, uint16_t mask, unsigned kind)
{
	uint16_t source = kind >= NETBURST_OF_OTHERS ? OTHER : OWN;
	uint16_t named = mask & (bits_of[kind % NETBURST_OF_OTHERS].ioq | source);

	if (r->events.model < MODEL_2)
		return named;
	return (named & ACCESSES) && (named & MEMORY) && (named & SOURCES);
}

bool netburst_is_in_bsq_mask(uint16_t mask, unsigned kind)
{
	uint16_t bits = bits_of[kind].bsq;

	return ((mask ^ bits) & NUMBERS) == 0 && (mask & FLAGS & ~bits) == 0;
}

void netburst_work_transactions(struct refpmu_cpu *m, uint64_t cycles)
{
	struct netburst_thread *t = &m->netburst;
	unsigned kept = 0;

	for (unsigned i = 0; i < t->entry_count; i++)
		if (t->entry[i].cycles > cycles) {
			t->entry[kept] = t->entry[i];
			t->entry[kept++].cycles -= (uint32_t)cycles;
		}
	t->entry_count = (uint8_t)kept;
}

static void start_one(struct refpmu_cpu *m, unsigned kind)
{
	struct netburst_thread *t = &m->netburst;

	/* The entries are in the order in which they end. */
	if (t->entry_count == NETBURST_ENTRIES)
		model_wait_cycles(m, t->entry[0].cycles, SIGNAL_BACKEND, 0);
	t->entry[t->entry_count].cycles = rules_of(m)->caches.invented->memory_cycles;
	t->entry[t->entry_count++].kind = (uint8_t)kind;
}

void netburst_start_transactions(struct refpmu_cpu *m, const struct cache_traffic *traffic)
{
	for (unsigned kind = 0; kind < CACHE_BUS_KINDS; kind++)
		for (uint32_t n = traffic->bus[kind]; n; n--)
			start_one(m, kind);
}

static void evict(struct netburst_thread *t, unsigned i, struct netburst_retired *retired)
{
	retired->wc_evicts += t->wc_bytes[i] != 0;
	t->wc_bytes[i] = 0;
}

/* Returns the line's buffer; or else a free one, or the one that has to be emptied. */
static unsigned buffer_for(struct netburst_thread *t, uint64_t line,
                           struct netburst_retired *retired)
{
	unsigned free = NETBURST_WC_BUFFERS;

	for (unsigned i = 0; i < NETBURST_WC_BUFFERS; i++) {
		if (t->wc_bytes[i] && t->wc_line[i] == line)
			return i;
		if (!t->wc_bytes[i])
			free = i;
	}
	if (free < NETBURST_WC_BUFFERS)
		return free;
	retired->wc_full_evicts++;
	free = (unsigned)(line % NETBURST_WC_BUFFERS);
	evict(t, free, retired);
	return free;
}

void netburst_combine(struct refpmu_cpu *m, struct netburst_retired *retired)
{
	struct netburst_thread *t = &m->netburst;
	uint32_t line_bytes = rules_of(m)->caches.line_bytes;
	uint64_t line = retired->effects.last_write / line_bytes;
	unsigned i = buffer_for(t, line, retired);

	t->wc_line[i] = line;
	t->wc_bytes[i] = (uint8_t)(t->wc_bytes[i] + retired->effects.last_size);
	if (t->wc_bytes[i] >= line_bytes)
		evict(t, i, retired);
}

void netburst_flush_combined(struct refpmu_cpu *m, struct netburst_retired *retired)
{
	for (unsigned i = 0; i < NETBURST_WC_BUFFERS; i++)
		evict(&m->netburst, i, retired);
}

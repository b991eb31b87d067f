/* SPDX-License-Identifier: MIT */
/*
 * A line's way through the caches of P5 and P6, with all that is told of it: what is modified,
 * what is replaced, what goes over the bus. The last level is L2, or there is none.
 *
 * Source: SDM 3A, "Methods of Caching Available", "Cache Control Protocol"; for the Pentium's
 * writes to shared lines Intel's Pentium Processor Family Developer's Manual, "Cache Consistency
 * Protocol".
 */
#include <model/cache/caches_parts.h>

static bool is_present(uint64_t entry, uint64_t stamp)
{
	return (entry ^ stamp) < UARCH_STAMP_LSB;
}

static uint64_t line_of(uint64_t entry)
{
	return entry >> UARCH_STATE_BITS & UARCH_NUMBER_MASK;
}

static uint64_t with_state(uint64_t entry, unsigned state)
{
	return (entry & ~UARCH_STATE_MASK) | state;
}

static uint64_t *find_l1d(struct uarch_core *c, uint64_t line)
{
	const struct uarch_shape *shape = &c->geometry->l1d;

	return uarch_find(uarch_set(c->l1d, shape, line), shape->ways, uarch_tag(line, c->stamp));
}

static uint64_t *find_l2(struct uarch_package *p, uint64_t line)
{
	const struct uarch_shape *shape = &p->geometry->l2;

	return uarch_find(uarch_set(p->llc, shape, line), shape->ways, uarch_tag(line, p->stamp));
}

/* ------------------------------------------------------------------------------ the bus */

static uint32_t count(uint64_t *sum, uint32_t n)
{
	*sum += n;
	return n;
}

void uarch_tell_bus(struct uarch *u, enum uarch_bus kind, uint32_t n)
{
	struct uarch_machine *machine = u->core->package->machine;

	uarch_tell(u)->bus[kind] += count(&machine->bus[kind], n);
	machine->bus_changes++;
}

void uarch_tell_snoop(struct uarch_package *p, uint64_t line, bool is_write)
{
	const uint64_t *l2 = find_l2(p, line);
	bool is_l2_m = l2 && uarch_state(*l2) == UARCH_M;

	for (struct uarch_core *c = p->cores; c; c = c->next) {
		struct uarch_snooped *s = &c->snooped;
		const uint64_t *l1d = find_l1d(c, line);
		bool is_l1d_m = l1d && uarch_state(*l1d) == UARCH_M;

		s->snoops++;
		s->hits += l1d || l2;
		s->hitm += is_l1d_m || is_l2_m;
		s->l1d_m_lines_out += is_l1d_m;
		s->l2_lines_out += l2 && is_write;
		s->l2_m_lines_out += is_l2_m && is_write;
		if (is_l1d_m && !p->geometry->l2.ways)
			s->write_backs += count(&p->machine->bus[UARCH_BUS_WB], 1);
	}
}

/* Memory is asked. Returns the state of the line. */
static unsigned ask_memory(struct uarch *u, uint64_t line, enum uarch_request request)
{
	static const enum uarch_bus kinds[UARCH_REQUESTS] = {
		[UARCH_LOAD] = UARCH_BUS_BRD, [UARCH_STORE] = UARCH_BUS_RFO,
		[UARCH_FETCH] = UARCH_BUS_IFETCH
	};
	bool is_write = request == UARCH_STORE;

	u->told.was_fetched = true;
	uarch_tell_bus(u, kinds[request], 1);
	if (uarch_snoop_packages(u->core, line, is_write))
		return is_write ? UARCH_M : UARCH_S;
	return is_write ? UARCH_M : UARCH_E;
}

/* The line is shared, and will be written: the others lose it. */
static void take(struct uarch *u, uint64_t line, enum uarch_bus kind)
{
	uint64_t *l2 = find_l2(u->core->package, line);

	uarch_tell_bus(u, kind, 1);
	uarch_snoop_cores(u->core, line, true);
	uarch_snoop_packages(u->core, line, true);
	if (l2 && uarch_state(*l2) == UARCH_S)
		*l2 = with_state(*l2, UARCH_E);
}

/* ------------------------------------------------------------------------------ L2 */

static void replace_in_l2(struct uarch *u, uint64_t entry)
{
	struct uarch_traffic *t = uarch_tell(u);

	t->l2_lines_out++;
	if (uarch_state(entry) != UARCH_M)
		return;
	t->l2_m_lines_out++;
	uarch_tell_bus(u, UARCH_BUS_WB, 1);
	for (struct uarch_core *c = u->core->package->cores; c; c = c->next) {
		uint64_t *l1d = find_l1d(c, line_of(entry));

		if (l1d && uarch_state(*l1d) == UARCH_M)
			*l1d = with_state(*l1d, UARCH_E);
	}
}

/* The line's entry, NULL if it gets none. found: as it was, 0 if it was not there. */
static uint64_t *use_l2(struct uarch *u, uint64_t line, uint64_t *found)
{
	struct uarch_package *p = u->core->package;
	const struct uarch_shape *shape = &p->geometry->l2;
	uint64_t *set = uarch_set(p->llc, shape, line);
	uint64_t last = set[shape->ways - 1];

	if (!u->fills_last) {
		uint64_t *entry = find_l2(p, line);

		*found = entry ? *entry : 0;
		return entry;
	}
	*found = uarch_lookup(set, shape->ways, uarch_tag(line, p->stamp));
	if (*found)
		return set;
	uarch_tell(u)->l2_lines_in++;
	if (is_present(last, p->stamp))
		replace_in_l2(u, last);
	return set;
}

/* L1 missed. Returns the state that the line gets there. */
static unsigned fill_from_l2(struct uarch *u, uint64_t line, enum uarch_request request)
{
	struct uarch_core *c = u->core;
	uint64_t found, *entry = use_l2(u, line, &found);
	bool is_write = request == UARCH_STORE;
	bool is_shared = uarch_snoop_cores(c, line, is_write);
	unsigned state = uarch_state(found);

	uarch_count_l2(u, request, state);
	u->pending.llc_references++;
	u->pending.llc_misses += !found;
	if (!found) {
		state = ask_memory(u, line, request);
		if (entry)
			*entry = uarch_tag(line, c->package->stamp) | state;
		uarch_tell(u)->l2_m_lines_in += entry && is_write;
	} else if (is_write && state == UARCH_S) {
		take(u, line, UARCH_BUS_INVAL);
	}
	if (is_write)
		return UARCH_M;
	return is_shared || state == UARCH_S ? UARCH_S : UARCH_E;
}

/* The same, with or without L2. */
static unsigned fill(struct uarch *u, uint64_t line, enum uarch_request request, uint32_t *cycles)
{
	const struct uarch_geometry *g = u->core->geometry;
	uint32_t misses = u->pending.llc_misses;
	unsigned state;

	*cycles = g->invented->memory_cycles;
	if (!g->l2.ways)
		return uarch_snoop_cores(u->core, line, false) ? UARCH_S :
		       ask_memory(u, line, request);
	state = fill_from_l2(u, line, request);
	if (u->pending.llc_misses == misses)
		*cycles = g->invented->llc_cycles;
	return state;
}

/* ------------------------------------------------------------------------------ L1 */

static void replace_in_l1d(struct uarch *u, uint64_t entry)
{
	uint64_t *l2;

	if (!is_present(entry, u->core->stamp) || uarch_state(entry) != UARCH_M)
		return;
	uarch_tell(u)->l1d_m_lines_out++;
	l2 = find_l2(u->core->package, line_of(entry));
	if (!l2) {
		uarch_tell_bus(u, UARCH_BUS_WB, 1);
	} else if (uarch_state(*l2) != UARCH_M) {
		u->told.pending.l2_m_lines_in++;
		*l2 = with_state(*l2, UARCH_M);
	}
}

/* The line is the most recently used one of its set now. Returns it as it was, 0 if new. */
static uint64_t use_l1d(struct uarch *u, uint64_t *set, uint64_t tag)
{
	uint32_t ways = u->core->geometry->l1d.ways;
	uint64_t last = set[ways - 1], found = uarch_lookup(set, ways, tag);

	if (found)
		return found;
	uarch_tell(u)->l1d_lines_in++;
	replace_in_l1d(u, last);
	return 0;
}

/* A store that misses takes the line; one to a shared line invalidates it elsewhere. */
static uint32_t use_inside(struct uarch *u, uint64_t line, bool is_read, bool is_write)
{
	struct uarch_core *c = u->core;
	struct uarch_traffic *t = uarch_tell(u);
	uint64_t *set = uarch_set(c->l1d, &c->geometry->l1d, line);
	uint64_t tag = uarch_tag(line, c->stamp), found = use_l1d(u, set, tag);
	unsigned state = uarch_state(found);
	uint32_t cycles = 0;

	if (!found) {
		*(is_read ? &t->data_read_misses : &t->data_write_misses) += 1;
		t->l1d_m_lines_in += is_write;
		state = fill(u, line, is_write ? UARCH_STORE : UARCH_LOAD, &cycles);
		uarch_add_cycles(&t->miss_cycles, cycles);
	} else if (is_write && state == UARCH_S) {
		uarch_count_upgrade(u, line);
		take(u, line, UARCH_BUS_INVAL);
		cycles = c->geometry->invented->llc_cycles;
	} else {
		t->write_hits_m_e += is_write;
	}
	*set = tag | (is_write ? UARCH_M : state);
	return cycles;
}

static void write_around(struct uarch *u, uint64_t line)
{
	struct uarch_traffic *t = uarch_tell(u);
	uint64_t *l1d = find_l1d(u->core, line);

	if (l1d && uarch_state(*l1d) >= UARCH_E) {
		t->write_hits_m_e++;
		*l1d = with_state(*l1d, UARCH_M);
		return;
	}
	t->data_write_misses += !l1d;
	take(u, line, UARCH_BUS_WRITE_THROUGH);
	if (l1d)
		*l1d = with_state(*l1d, UARCH_E);
}

/* Only reads bring lines; a write that follows in the same access finds the line there. */
static uint32_t use_around(struct uarch *u, uint64_t line, bool is_read, bool is_write)
{
	struct uarch_core *c = u->core;
	struct uarch_traffic *t = uarch_tell(u);
	uint64_t *set = uarch_set(c->l1d, &c->geometry->l1d, line);
	uint64_t tag = uarch_tag(line, c->stamp);
	uint32_t cycles = 0;

	if ((is_read || find_l1d(c, line)) && !use_l1d(u, set, tag)) {
		t->data_read_misses++;
		*set = tag | fill(u, line, UARCH_LOAD, &cycles);
		uarch_add_cycles(&t->miss_cycles, cycles);
	}
	if (is_write)
		write_around(u, line);
	return cycles;
}

uint32_t uarch_bus_use_data(struct uarch *u, uint64_t line, bool is_read, bool is_write)
{
	if (!u->fills_core)
		return uarch_use_data(u, line, is_write);
	if (u->core->geometry->writes_around)
		return use_around(u, line, is_read, is_write);
	return use_inside(u, line, is_read, is_write);
}

uint32_t uarch_bus_use_code(struct uarch *u, uint64_t line)
{
	struct uarch_core *c = u->core;
	const struct uarch_shape *shape = &c->geometry->l1i;
	uint64_t *set = uarch_set(c->l1i, shape, line);
	uint64_t tag = uarch_tag(line, c->stamp);
	uint32_t cycles;

	if (!u->fills_core)
		return uarch_use_code(u, line);
	c->fetch_line[u->thread] = line;
	if (uarch_lookup(set, shape->ways, tag))
		return 0;
	uarch_tell(u)->l1i_misses++;
	fill(u, line, UARCH_FETCH, &cycles);
	*set = tag | UARCH_S;
	return cycles;
}

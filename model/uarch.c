/* SPDX-License-Identifier: MIT */
/* What an instruction costs: accesses gather, retiring collects. */
#include <model/uarch_parts.h>

#include <model/model.h>

void uarch_reset(struct uarch *u, struct uarch_shared *s, const struct uarch_geometry *geometry)
{
	u->geometry = geometry;
	u->line_bits = 0;
	while (1u << u->line_bits < geometry->line_bytes)
		u->line_bits++;
	uarch_caches_reset(u, s);
	uarch_tlb_flush(u);
	uarch_predictor_reset(&u->predictor);
	uarch_drop(u);
}

void uarch_drop(struct uarch *u)
{
	u->pending = (struct uarch_cost){ .is_alone = false };
	u->is_pending = false;
}

/* ---------------------------------------------------------------------------- data */

static void access_line(struct uarch *u, struct uarch_shared *s, unsigned kind, uint64_t line)
{
	uint32_t cycles;

	u->data_line = line;
	if (uarch_lookup(u->l1d, &u->geometry->l1d, line, u->stamp))
		return;
	cycles = uarch_fill_line(u, s, line);
	u->is_pending = true;
	if (kind != MODEL_WRITE)
		uarch_add_cycles(&u->pending.backend_cycles, cycles);
}

static void access_page(struct uarch *u, uint64_t page)
{
	uint32_t cycles = uarch_translate_data(u, page);

	u->data_page = page;
	if (!cycles)
		return;
	u->is_pending = true;
	uarch_add_cycles(&u->pending.backend_cycles, cycles);
}

void uarch_access(struct uarch *u, struct uarch_shared *s, unsigned kind, uint64_t linear,
                  uint64_t physical, unsigned size)
{
	uint32_t line_mask = u->geometry->line_bytes - 1;
	uint64_t line = physical >> u->line_bits;
	uint64_t page = linear >> UARCH_PAGE_BITS;
	uint32_t lines = (((uint32_t)physical & line_mask) + size + line_mask) >> u->line_bits;

	if (page != u->data_page)
		access_page(u, page);
	if (line == u->data_line && lines == 1)
		return;
	for (uint32_t i = 0; i < lines; i++)
		access_line(u, s, kind, line + i);
}

/* ---------------------------------------------------------------------------- instructions */

static void fetch_line(struct uarch *u, struct uarch_shared *s, uint64_t line)
{
	uint32_t cycles = uarch_translate_code(u, line >> (UARCH_PAGE_BITS - u->line_bits));

	u->fetch_line = line;
	if (!uarch_lookup(u->l1i, &u->geometry->l1i, line, u->stamp))
		cycles += uarch_fill_line(u, s, line);
	if (!cycles)
		return;
	u->is_pending = true;
	uarch_add_cycles(&u->pending.frontend_cycles, cycles);
}

static void fetch(struct uarch *u, struct uarch_shared *s, const struct model_insn *insn)
{
	uint64_t first = insn->ip >> u->line_bits;
	uint64_t last = (insn->ip + insn->length - 1) >> u->line_bits;

	if (first != u->fetch_line)
		fetch_line(u, s, first);
	if (last != first)
		fetch_line(u, s, last);
}

static bool is_far(unsigned branch)
{
	return branch >= MODEL_FAR_JMP;
}

void uarch_retire(struct uarch *u, struct uarch_shared *s, const struct model_insn *insn,
                  struct uarch_cost *cost)
{
	fetch(u, s, insn);
	*cost = u->pending;
	if (u->is_pending)
		uarch_drop(u);
	cost->is_alone = (insn->traits & MODEL_TRAIT_SERIALIZING) || is_far(insn->branch);
	if (insn->branch == MODEL_NO_BRANCH || !uarch_predictor_retire(u, insn))
		return;
	cost->is_mispredicted = true;
	cost->bad_speculation_cycles = u->geometry->invented->mispredict_cycles;
}

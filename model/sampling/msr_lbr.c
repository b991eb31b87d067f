/* SPDX-License-Identifier: MIT */
/*
 * The registers of last branch records. Sources: SDM 3B, "LBR Stack and Intel 64 Processors",
 * "Architectural Last Branch Records"; SDM 4, by processor.
 *
 * Chosen, where these are silent or describe only reading: all of them can be written. An entry
 * takes an address of the processor's width and extends its sign; flags are kept as written; TOS
 * takes the bits of the value that it needs. An entry beyond IA32_LBR_DEPTH keeps what is written.
 */
#include <model/sampling/records.h>

#include <arch/regs/netburst.h>
#include <arch/regs/p6.h>

/* ---------------------------------------------------------------------------- formats */

/* Returns the flags in FROM; all other flags are in MSR_LBR_INFO_x, if that exists. */
static uint64_t flags_of(const struct model_rules *r)
{
	if (r->lbr.format == LBR_FORMAT_FLAGS)
		return LBR_FROM_MISPRED;
	if (r->lbr.format == LBR_FORMAT_FLAGS2)
		return LBR_FROM_MISPRED | LBR_FROM_IN_TX | LBR_FROM_TSX_ABORT;
	return 0;
}

static uint64_t address(const struct model_rules *r, uint64_t value)
{
	unsigned above = 64u - r->registers.linear_bits;

	if (r->registers.linear_bits == 32)
		return value & UINT32_MAX;
	return (uint64_t)((int64_t)(value << above) >> above);
}

static bool is_packed(const struct model_rules *r)
{
	return r->lbr.to == 0;
}

static uint64_t shown_from(const struct refpmu_cpu *m, const struct model_lbr_entry *e)
{
	uint64_t flags = flags_of(rules_of(m));

	if (is_packed(rules_of(m)))
		return (e->from & UINT32_MAX) | e->to << 32;
	return (e->from & ~flags) | (e->info & flags);
}

/* Returns entry n of the registers: of the ring itself, or counted from the newest one. */
static struct model_lbr_entry *entry_at(struct refpmu_cpu *m, unsigned n)
{
	struct model_branches *b = &m->branches;
	unsigned size = model_lbr_size(m);

	if (!rules_of(m)->lbr.is_architectural || n >= size)
		return &b->entry[n];
	return &b->entry[(b->top + size - n) % size];
}

/* ---------------------------------------------------------------------------- entries */

static MSR_SHOWS(lbr_from, shown_from(m, entry_at(m, n)))
static MSR_SHOWS(lbr_to, entry_at(m, n)->to)
static MSR_SHOWS(lbr_info, entry_at(m, n)->info)
MSR_TAKES(lbr_to, entry_at(m, n)->to, address(rules_of(m), value))
MSR_TAKES(lbr_info, entry_at(m, n)->info, value)

/* The pair's registers: 0 from, 1 to. */
#define LER(n) (*((n) ? &m->branches.exception.to : &m->branches.exception.from))
static MSR_SHOWS(ler, LER(n))
MSR_TAKES(ler, LER(n), address(rules_of(m), value))

static enum refpmu_status lbr_from_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	const struct model_rules *r = rules_of(m);
	struct model_lbr_entry *e = entry_at(m, n);
	uint64_t flags = flags_of(r);

	if (is_packed(r)) {
		e->from = value & UINT32_MAX;
		e->to = value >> 32;
		return REFPMU_OK;
	}
	e->from = address(r, value);
	e->info = (e->info & ~flags) | (value & flags);
	return REFPMU_OK;
}

static MSR_SHOWS(lbr_tos, m->branches.top)
MSR_TAKES(lbr_tos, m->branches.top, (uint32_t)(value % model_lbr_size(m)))
static MSR_SHOWS(lbr_select, m->branches.select)
static MSR_SHOWS(lbr_depth, m->branches.depth)

static enum refpmu_status lbr_select_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	(void)n;
	if (value & ~rules_of(m)->lbr.select_bits)
		return REFPMU_GP;
	m->branches.select = value;
	model_branches_update(m);
	return REFPMU_OK;
}

/* Leaf 1CH: EAX[i] is a depth of 8 (i + 1). */
static enum refpmu_status lbr_depth_write(struct refpmu_cpu *m, unsigned n, uint64_t value)
{
	struct model_branches *b = &m->branches;
	bool is_listed = value % 8 == 0 && value && value <= 64 &&
	                 rules_of(m)->lbr.leaf_1c[0] >> (value / 8 - 1) & 1;

	(void)n;
	if (!is_listed)
		return REFPMU_GP;
	b->depth = value;
	__builtin_memset(b->entry, 0, sizeof(b->entry));
	b->top = 0;
	return REFPMU_OK;
}

/* A processor has the stack at the addresses that its rules name, and no other stack. */
static MSR_IS_THERE(has_from, n < r->lbr.depth && row->first == r->lbr.from)
static MSR_IS_THERE(has_to, n < r->lbr.depth && row->first == r->lbr.to)
static MSR_IS_THERE(has_info, n < r->lbr.depth && row->first == r->lbr.info)
static MSR_IS_THERE(has_tos, row->first == r->lbr.tos)
static MSR_IS_THERE(has_ler, row->first == r->lbr.ler_from)
static MSR_IS_THERE(has_select, r->lbr.select_bits && !r->lbr.is_architectural)
static MSR_IS_THERE(is_architectural, r->lbr.is_architectural)

const struct model_msr_row model_msrs_lbr[] = {
	{ MSR_LBR_SELECT,                1, 1, has_select, lbr_select_read, lbr_select_write },
	{ MSR_LASTBRANCH_TOS_CORE,       1, 1, has_tos,    lbr_tos_read,    lbr_tos_write },
	{ MSR_LER_FROM_IP,               2, 1, has_ler,    ler_read,        ler_write },
	{ MSR_LASTBRANCH_FROM_IP_40(0),  8, 1, has_from,   lbr_from_read,   lbr_from_write },
	{ MSR_LASTBRANCH_TO_IP_60(0),    8, 1, has_to,     lbr_to_read,     lbr_to_write },
	{ MSR_LASTBRANCH_FROM_IP(0),    32, 1, has_from,   lbr_from_read,   lbr_from_write },
	{ MSR_LASTBRANCH_TO_IP(0),      32, 1, has_to,     lbr_to_read,     lbr_to_write },
	{ MSR_LBR_INFO(0),              32, 1, has_info,   lbr_info_read,   lbr_info_write },
	{ IA32_LBR_CTL,             1, 1, is_architectural, lbr_select_read, lbr_select_write },
	{ IA32_LBR_DEPTH,           1, 1, is_architectural, lbr_depth_read,  lbr_depth_write },
	{ IA32_LBR_INFO(0),             32, 1, has_info,   lbr_info_read,   lbr_info_write },
	{ IA32_LBR_FROM_IP(0),          32, 1, has_from,   lbr_from_read,   lbr_from_write },
	{ IA32_LBR_TO_IP(0),            32, 1, has_to,     lbr_to_read,     lbr_to_write },
	{ .count = 0 }
};

const struct model_msr_row model_msrs_lbr_pair[] = {
	{ LastBranchFromIP,              1, 1, has_from,   lbr_from_read,   lbr_from_write },
	{ LastBranchToIP,                1, 1, has_to,     lbr_to_read,     lbr_to_write },
	{ LastExceptionFromIP,           2, 1, has_ler,    ler_read,        ler_write },
	{ MSR_LASTBRANCH_PACKED(0),      8, 1, has_from,   lbr_from_read,   lbr_from_write },
	{ MSR_LASTBRANCH_TOS_CORE,       1, 1, has_tos,    lbr_tos_read,    lbr_tos_write },
	{ .count = 0 }
};

const struct model_msr_row model_msrs_lbr_lip[] = {
	{ MSR_LER_FROM_LIP,              2, 1, has_ler,    ler_read,        ler_write },
	{ MSR_LASTBRANCH_TOS,            1, 1, has_tos,    lbr_tos_read,    lbr_tos_write },
	{ MSR_LASTBRANCH(0),             4, 1, has_from,   lbr_from_read,   lbr_from_write },
	{ MSR_LASTBRANCH_FROM_LIP(0),   16, 1, has_from,   lbr_from_read,   lbr_from_write },
	{ MSR_LASTBRANCH_TO_LIP(0),     16, 1, has_to,     lbr_to_read,     lbr_to_write },
	{ .count = 0 }
};

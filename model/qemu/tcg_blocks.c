/* SPDX-License-Identifier: MIT */
/*
 * Translation blocks, while something counts. An instruction whose operations neither access memory
 * nor leave the block nor call a helper with effects is plain: it cannot fault, and nothing can see
 * how far execution is. Plain instructions in one line, and the one after them, are reported by one
 * call, if the model takes that; otherwise each by a call of its own. If all is plain after an
 * instruction's last access, the call for that access ends the instruction, too.
 */
#include "tcg_glue.h"
#include "exec/translator.h"
#include "tcg/tcg.h"
#include "tcg/tcg-op.h"
#include "tcg/helper-info.h"
#include "exec/helper-gen.h"

enum { LINE_BYTES = 64 };       /* of another size, more calls are made */

struct Kind { uint64_t traits; uint32_t info; };

struct Noted {
	TCGOp *before;          /* the report follows this operation */
	TCGOp *access;          /* reports its last access, or NULL */
	uint64_t pc;
	struct Kind kind;
	uint32_t ahead;
	bool is_plain;          /* all of it */
	bool ends_plainly;      /* ... or after its last access */
};

static struct Noted noted[TCG_MAX_INSNS];       /* of the block that is translated */
static unsigned count;

/* No processor here is a Pentium. */
static const uint64_t PAIRS = REFPMU_TRAIT_PAIRABLE_U | REFPMU_TRAIT_PAIRABLE_V;

static struct Kind kind_of(const uint8_t *bytes, unsigned length, unsigned bits)
{
	struct refpmu_kind kind = refpmu_kind_of(bytes, length, bits);
	uint32_t info = length | (uint32_t)kind.branch << INFO_BRANCH_SHIFT
	                | (uint32_t)kind.segments << INFO_SEGMENTS_SHIFT;

	if (kind.is_repeated)
		info |= INFO_MAY_MOVE;
	if (kind.empties_caches)
		info |= INFO_EMPTIES;
	if (kind.traits & REFPMU_TRAIT_SSE)
		info |= INFO_VECTOR;
	if (kind.prefetches)
		info |= INFO_PREFETCHES;
	return (struct Kind){ kind.traits & ~PAIRS, info };
}

static void gen_access(TCGv_i64 address, MemOpIdx oi, enum qemu_plugin_mem_rw rw)
{
	gen_helper_pmu_mem(tcg_env, address, tcg_constant_i32(oi | rw << 30),
	                   tcg_constant_i64(0));
	if (count)
		noted[count - 1].access = tcg_last_op();
}

void pmu_block_begins(bool is_watched)
{
	tcg_ctx->gen_mem_hook = is_watched ? gen_access : NULL;
	count = 0;
}

bool pmu_insn_is(const DisasContextBase *db, uint32_t ahead, const uint8_t *bytes,
                 unsigned length, unsigned bits)
{
	struct Kind kind = kind_of(bytes, length, bits);

	noted[count++] = (struct Noted){ tcg_last_op(), NULL, db->pc_next, kind, ahead };
	return kind.info & INFO_PREFETCHES;
}

/* ---------------------------------------------------------------------------- groups */

static unsigned flags_of(const TCGOp *op)
{
	return tcg_op_defs[op->opc].flags;
}

static bool has_effects(const TCGOp *op)
{
	const TCGHelperInfo *helper;

	if (op->opc != INDEX_op_call)
		return flags_of(op) & (TCG_OPF_BB_EXIT | TCG_OPF_BB_END | TCG_OPF_CALL_CLOBBER
		                       | TCG_OPF_SIDE_EFFECTS);
	helper = (const void *)(uintptr_t)op->args[TCGOP_CALLO(op) + TCGOP_CALLI(op) + 1];
	return !(helper->flags & TCG_CALL_NO_SIDE_EFFECTS);
}

/* Says whether all operations of an instruction after this one are plain. */
static bool is_plain_after(const TCGOp *op, unsigned n)
{
	const TCGOp *end = n + 1 < count ? noted[n + 1].before : tcg_last_op();

	while (op != end) {
		op = QTAILQ_NEXT(op, link);
		if (has_effects(op))
			return false;
	}
	return true;
}

/* Says whether execution passes the last access, if it passes the report. */
static bool has_access(const struct Noted *i)
{
	const TCGOp *op = i->before;

	while (i->access && op != i->access && !(flags_of(op) & TCG_OPF_BB_END))
		op = QTAILQ_NEXT(op, link);
	return op == i->access;
}

static void look_at(unsigned n)
{
	struct Noted *i = &noted[n];

	if (i->kind.info & (INFO_BRANCH | INFO_MAY_MOVE | INFO_EMPTIES | INFO_PREFETCHES))
		return;
	i->is_plain = !i->access && !i->kind.traits && is_plain_after(i->before, n);
	i->ends_plainly = has_access(i) && is_plain_after(i->access, n);
}

static uint64_t line_of(unsigned n)
{
	return noted[n].pc / LINE_BYTES;
}

static unsigned length_of(unsigned n)
{
	return noted[n].kind.info & INFO_LENGTH;
}

/* Says whether a group may have it as one of its plain instructions, because it lies in a line. */
static bool is_member(unsigned n)
{
	return noted[n].is_plain
	       && (noted[n].pc + length_of(n) - 1) / LINE_BYTES == line_of(n);
}

/* A call that has not pushed begins anew; whether it has is not known in advance. */
static bool is_call(unsigned n)
{
	unsigned branch = (noted[n].kind.info & INFO_BRANCH) >> INFO_BRANCH_SHIFT;

	return branch == REFPMU_CALL || branch == REFPMU_CALL_INDIRECT;
}

/* Says whether a group in this line goes on: with a member, or with the one after the last. */
static bool goes_on(unsigned n, uint64_t line)
{
	return n < count && noted[n].pc == noted[n - 1].pc + length_of(n - 1)
	       && noted[n].kind.traits <= INFO_TRAITS >> INFO_TRAITS_SHIFT && !is_call(n)
	       && (!is_member(n) || line_of(n) == line);
}

/* Returns the group of those after instruction n, to which bytes and insns are added. */
static uint64_t group_after(unsigned n, uint64_t insns, uint64_t bytes)
{
	uint64_t line = line_of(n), last = 0;

	for (n++; goes_on(n, line) && is_member(n); n++, insns++)
		bytes += length_of(n);
	if (goes_on(n, line))
		last = noted[n].kind.info | noted[n].kind.traits << INFO_TRAITS_SHIFT;
	return insns | bytes << GROUP_BYTES_SHIFT | last << GROUP_LAST_SHIFT;
}

/* ---------------------------------------------------------------------------- reports */

static void gen_report(unsigned n, uint64_t group)
{
	TCGv_i32 ahead = tcg_constant_i32(noted[n].ahead);
	TCGv_i32 info = tcg_constant_i32(noted[n].kind.info);

	if (group)
		gen_helper_pmu_group(tcg_env, ahead, info, tcg_constant_i64(group));
	else
		gen_helper_pmu_insn(tcg_env, ahead, info,
		                    tcg_constant_i64(noted[n].kind.traits));
}

/* A report by the group that it may belong to makes its own unnecessary. */
static void gen_report_unless_done(unsigned n, uint64_t group)
{
	TCGLabel *is_done = gen_new_label();
	TCGv_i32 skip = tcg_temp_ebb_new_i32();

	tcg_gen_ld_i32(skip, tcg_env, offsetof(CPUX86State, pmu_skip));
	tcg_gen_brcondi_i32(TCG_COND_NE, skip, 0, is_done);
	gen_report(n, group);
	gen_set_label(is_done);
	tcg_temp_free_i32(skip);
}

static void report(unsigned n)
{
	uint64_t group = is_member(n) ? group_after(n, 1, length_of(n)) : 0;
	bool has_others = n && (is_member(n - 1) || noted[n - 1].ends_plainly);

	tcg_ctx->emit_before_op = QTAILQ_NEXT(noted[n].before, link);
	if (has_others && goes_on(n, line_of(n - 1)))
		gen_report_unless_done(n, group);
	else
		gen_report(n, group);
	tcg_ctx->emit_before_op = NULL;
}

/* Changes the last argument of the call that reports the last access. */
static void report_end(unsigned n)
{
	uint64_t group = GROUP_ENDS | group_after(n, 0, 0);

	QEMU_BUILD_BUG_ON(TCG_TARGET_REG_BITS != 64);
	if (noted[n].ends_plainly)
		noted[n].access->args[3] = tcgv_i64_arg(tcg_constant_i64(group));
}

/* An instruction that did not fit the page any more was noted and not translated. */
void pmu_block_ends(CPUX86State *env, const DisasContextBase *db)
{
	while (count && noted[count - 1].pc >= db->pc_next)
		count--;
	for (unsigned n = 0; n < count && !env->pmu->needs.details; n++)
		look_at(n);
	for (unsigned n = 0; n < count; n++)
		report_end(n);
	for (unsigned n = count; n-- > 0; )
		report(n);
}

/* SPDX-License-Identifier: MIT */
/*
 * AMD's instruction-based sampling: fetches and ops are counted, one is tagged when its counter
 * reaches the maximum, and what is known of it when it retires becomes the sample. Sources: APM 2,
 * "Instruction-Based Sampling"; BIOS and Kernel Developer's Guide of family 10H, "IBS"; Linux,
 * arch/x86/events/amd/ibs.c.
 *
 * An op is a micro-operation of the model: an instruction's are its reads, then one of its own,
 * then its writes. Invented: the others of an instruction that microcode executes come last; the
 * clocks of completion and of a miss are the model's stalls; by clocks, chance says which op of the
 * next instruction is tagged. All fetches and ops retire: no wrong
 * path is executed. Chosen, where the sources are silent: a maximum of 0 tags nothing; the counter
 * of ops is 0 with random low bits while a sample is valid; an access that reads and writes has
 * both bits; halted clocks do not count; nothing stops in system-management mode or in a guest; the
 * second level of the TLB, the source of data and the number of open misses are 0.
 */
#include <model/amd/amd_shared.h>

enum { COUNT_UNIT = 16, NOISE_BITS = 7, PAGE_BITS_2M = 21, PAGE_BITS_1G = 30, LATENCY_UNIT = 128 };

/* A generator of period 2^32 - 1 (Marsaglia, "Xorshift RNGs"). */
uint32_t model_ibs_noise(struct refpmu_cpu *m, unsigned bits)
{
	uint32_t x = m->ibs.noise;

	x ^= x << 13;
	x ^= x >> 17;
	x ^= x << 5;
	m->ibs.noise = x;
	return x & (uint32_t)ones(bits);
}

void model_ibs_reset(struct refpmu_cpu *m)
{
	m->ibs = (struct model_ibs){ .noise = 1 };
}

void model_ibs_access(struct refpmu_cpu *m, const struct model_ibs_access *access)
{
	if (m->ibs.accesses < MODEL_IBS_ACCESSES)
		m->ibs.access[m->ibs.accesses++] = *access;
}

static void request_interrupt(struct refpmu_cpu *m)
{
	m->ibs.is_due = true;
}

/* ---------------------------------------------------------------------------- counters */

/* Returns how many more counts a counter takes until the next one is tagged. */
static uint32_t distance(uint32_t count, uint32_t maximum, unsigned width)
{
	uint32_t ahead = (maximum * COUNT_UNIT - count) & (uint32_t)ones(width);

	return count / COUNT_UNIT == maximum ? 0 : ahead;
}

/* Moves a counter by n. Returns which of them was tagged, or n: none was. */
static uint32_t take(uint32_t *count, uint32_t maximum, unsigned width, uint32_t n)
{
	uint32_t left = distance(*count, maximum, width);

	if (left < n && maximum) {
		*count = maximum * COUNT_UNIT;
		return left;
	}
	*count = (*count + n) & (uint32_t)ones(width);
	return n;
}

/* ---------------------------------------------------------------------------- op */

static uint32_t op_maximum(const struct refpmu_cpu *m)
{
	uint64_t ctl = m->ibs.op_ctl, low = FIELD_GET(IbsOpCtl_MaxCnt, ctl);

	if (model_ibs_op_width(m) == MODEL_IBS_FETCH_WIDTH)
		return (uint32_t)low;
	return (uint32_t)(FIELD_GET(IbsOpCtl_MaxCntHigh, ctl) << 16 | low);
}

static bool counts_ops(const struct refpmu_cpu *m)
{
	return (m->ibs.op_ctl & IbsOpCtl_CntCtl) &&
	       (rules_of(m)->amd.ibs->caps & CPUID_AMD_IBS_EAX_OpCnt);
}

/* Returns the op's number in the instruction that is tagged, or the number of its ops: none is. A
 * clock that reaches the maximum tags an op of the next instruction. */
static uint32_t count_op(struct refpmu_cpu *m, uint32_t ops)
{
	struct model_ibs *ibs = &m->ibs;
	uint64_t now = model_running_clocks(m);
	uint32_t clocks = (uint32_t)(now - ibs->seen), maximum = op_maximum(m);
	unsigned width = model_ibs_op_width(m);

	ibs->seen = now;
	if (counts_ops(m))
		return take(&ibs->op_count, maximum, width, ops);
	if (maximum && distance(ibs->op_count, maximum, width) == 0)
		return model_ibs_noise(m, NOISE_BITS) % ops;
	take(&ibs->op_count, maximum, width, clocks);
	return ops;
}

static bool reads(const struct model_ibs_access *a)  { return a->kind != REFPMU_WRITE; }
static bool writes(const struct model_ibs_access *a) { return a->kind != REFPMU_READ; }

/* Returns the nth access that does so, or NULL. */
static const struct model_ibs_access *nth(const struct refpmu_cpu *m, uint32_t n,
                                          bool (*does)(const struct model_ibs_access *a))
{
	for (unsigned i = 0; i < m->ibs.accesses; i++)
		if (does(&m->ibs.access[i]) && n-- == 0)
			return &m->ibs.access[i];
	return NULL;
}

/* Returns the access of op n, or NULL. */
static const struct model_ibs_access *access_of(const struct refpmu_cpu *m, uint32_t n,
                                                const struct cache_traffic *t)
{
	if (n < t->data_reads)
		return nth(m, n, reads);
	return n > t->data_reads ? nth(m, n - t->data_reads - 1, writes) : NULL;
}

static uint64_t flag(uint64_t bit, bool is_set) { return is_set ? bit : 0; }

static uint64_t at_most(uint64_t field, uint64_t value)
{
	uint64_t most = FIELD_GET(field, field);

	return FIELD_PUT(field, value < most ? value : most);
}

static uint64_t branch_bits(const struct model_retired *retired)
{
	const struct refpmu_insn *insn = retired->insn;

	if (insn->branch == REFPMU_NO_BRANCH)
		return 0;
	return IbsOpData_OpBrnRet | flag(IbsOpData_OpBrnTaken, insn->is_taken) |
	       flag(IbsOpData_OpBrnMisp, retired->cost->is_mispredicted) |
	       flag(IbsOpData_OpReturn, insn->branch == REFPMU_RET);
}

/* Returns the bits of the translation of an access. */
static uint64_t page_bits(struct refpmu_cpu *m, const struct model_ibs_access *a,
                          const struct cache_traffic *t)
{
	uint64_t physical;
	unsigned bits = 0;

	if (t->dtlb_misses)
		return IbsOpData3_DcL1TlbMiss;
	if (!m->host.find_page || !m->host.find_page(m->host.context, a->linear, &physical, &bits))
		return 0;
	return flag(IbsOpData3_DcL1TlbHit2M, bits == PAGE_BITS_2M) |
	       flag(IbsOpData3_DcL1TlbHit1G, bits == PAGE_BITS_1G);
}

/* 1: a byte, 2: two, 3: four, and so on. */
static uint64_t width_of(uint32_t size)
{
	uint64_t code = 1;

	for (; size > 1; size /= 2)
		code++;
	return FIELD_PUT(IbsOpData3_OpMemWidth, code);
}

/* Returns which request for a line the access makes after a miss of L1D; the bus transaction that
 * brings the line from memory has the same number. */
static enum cache_request request_of(const struct model_ibs_access *a)
{
	return a->kind == REFPMU_READ ? CACHE_LOAD : CACHE_STORE;
}

static uint64_t data_bits(struct refpmu_cpu *m, const struct model_ibs_access *a,
                          const struct model_retired *retired)
{
	const struct cache_traffic *t = retired->traffic;
	uint64_t traits = retired->insn->traits;
	bool is_miss = reads(a) ? t->data_read_misses : t->data_write_misses;
	uint64_t bits = IbsOpData3_DcLinAddrValid | IbsOpData3_DcPhyAddrValid;

	bits |= flag(IbsOpData3_LdOp, reads(a)) | flag(IbsOpData3_StOp, writes(a)) |
	        flag(IbsOpData3_DcMiss, is_miss) | flag(IbsOpData3_DcMisAcc, t->misaligned) |
	        flag(IbsOpData3_DcUcMemAcc, !a->is_cacheable) |
	        flag(IbsOpData3_DcLockedOp, traits & REFPMU_TRAIT_LOCKED) |
	        flag(IbsOpData3_L2Miss, is_miss && cache_sum_of(retired->cost->l2,
	                                           1u << request_of(a), 1 << CACHE_I)) |
	        flag(IbsOpData3_SwPf, reads(a) && (traits & REFPMU_TRAIT_SSE_STREAM)) |
	        width_of(a->size) | page_bits(m, a, t) |
	        at_most(IbsOpData3_TlbRefillLat, t->dtlb_cycles);
	if (is_miss && reads(a))
		bits |= at_most(IbsOpData3_DcMissLat, t->read_cycles);
	return bits & rules_of(m)->amd.ibs->op_data3_fields;
}

/* Returns whether the filters of IbsOpCtl let this sample pass. */
static bool passes_op(const struct refpmu_cpu *m, const struct model_ibs_access *a,
                      const struct model_retired *retired, uint64_t data3)
{
	uint64_t ctl = m->ibs.op_ctl;
	uint64_t least = LATENCY_UNIT * (FIELD_GET(IbsOpCtl_LatThreshold, ctl) + 1);

	if ((ctl & IbsOpCtl_L3MissOnly) &&
	    !((data3 & IbsOpData3_L2Miss) && retired->traffic->bus[request_of(a)]))
		return false;
	return !(ctl & IbsOpCtl_LatFilterEn) ||
	       ((data3 & IbsOpData3_LdOp) && FIELD_GET(IbsOpData3_DcMissLat, data3) >= least);
}

static void sample_op(struct refpmu_cpu *m, uint32_t op, const struct model_retired *retired,
                      uint64_t began)
{
	struct model_ibs *ibs = &m->ibs;
	const struct model_ibs_access *a = access_of(m, op, retired->traffic);
	uint64_t data3 = a ? data_bits(m, a, retired) : 0;
	bool is_own = op == retired->traffic->data_reads;

	ibs->op_count = model_ibs_noise(m, NOISE_BITS);
	if (!passes_op(m, a, retired, data3))
		return;
	ibs->op_ctl |= IbsOpCtl_Val;
	ibs->op_rip = retired->insn->ip;
	ibs->op_data = FIELD_PUT(IbsOpData_CompToRetCtr, 1) |
	               at_most(IbsOpData_TagToRetCtr, model_running_clocks(m) - began + 1) |
	               (is_own ? branch_bits(retired) : 0);
	ibs->op_data2 = 0;
	ibs->op_data3 = data3;
	if (a) {
		ibs->dc_linear = a->linear;
		ibs->dc_physical = a->physical;
	}
	if (is_own && retired->insn->branch != REFPMU_NO_BRANCH)
		ibs->branch_target = retired->insn->next_ip;
	request_interrupt(m);
}

static void follow_op(struct refpmu_cpu *m, const struct model_retired *retired, uint64_t began)
{
	uint32_t ops = model_uops(retired), op;

	if ((m->ibs.op_ctl & (IbsOpCtl_En | IbsOpCtl_Val)) != IbsOpCtl_En)
		return;
	op = count_op(m, ops);
	if (op < ops)
		sample_op(m, op, retired, began);
}

/* ---------------------------------------------------------------------------- fetch */

/* Returns the fields that tell where the fetch found its bytes; writes both addresses. */
static uint64_t fetch_bits(struct refpmu_cpu *m, const struct model_retired *retired)
{
	struct model_ibs *ibs = &m->ibs;
	const struct cache_traffic *t = retired->traffic;
	uint64_t bits = IbsFetchCtl_Val | IbsFetchCtl_Comp;
	unsigned page = 0;

	ibs->fetch_linear = retired->insn->ip;
	if (m->host.find_page &&
	    m->host.find_page(m->host.context, ibs->fetch_linear, &ibs->fetch_physical, &page))
		bits |= IbsFetchCtl_PhyAddrValid |
		        FIELD_PUT(IbsFetchCtl_L1TlbPgSz, page == PAGE_BITS_2M ? IBS_PAGE_2M :
		                  page == PAGE_BITS_1G ? IBS_PAGE_1G : IBS_PAGE_4K);
	return bits | flag(IbsFetchCtl_IcMiss, t->l1i_misses) |
	       flag(IbsFetchCtl_L1TlbMiss, t->itlb_misses) |
	       at_most(IbsFetchCtl_Lat, t->itlb_cycles + t->ifetch_cycles);
}

static void follow_fetch(struct refpmu_cpu *m, const struct model_retired *retired)
{
	struct model_ibs *ibs = &m->ibs;
	uint32_t fetches = retired->traffic->l1i_fetches;
	uint32_t maximum = (uint32_t)FIELD_GET(IbsFetchCtl_MaxCnt, ibs->fetch_ctl);
	bool is_l3_miss = retired->traffic->bus[CACHE_BUS_IFETCH];

	if ((ibs->fetch_ctl & (IbsFetchCtl_En | IbsFetchCtl_Val)) != IbsFetchCtl_En)
		return;
	if (take(&ibs->fetch_count, maximum, MODEL_IBS_FETCH_WIDTH, fetches) == fetches)
		return;
	if ((ibs->fetch_ctl & IbsFetchCtl_L3MissOnly) && !is_l3_miss) {
		bool is_random = ibs->fetch_ctl & IbsFetchCtl_RandEn;

		ibs->fetch_count = is_random ? model_ibs_noise(m, NOISE_BITS) : 0;
		return;
	}
	ibs->fetch_ctl |= fetch_bits(m, retired);      /* without Val, it has no others */
	request_interrupt(m);
}

/* ---------------------------------------------------------------------------- retiring */

void model_ibs_retire(struct refpmu_cpu *m, const struct model_retired *retired, uint64_t began)
{
	const struct model_ibs_rules *r = rules_of(m)->amd.ibs;

	follow_fetch(m, retired);
	follow_op(m, retired, began);
	m->ibs.accesses = 0;
	if (!m->ibs.is_due)
		return;
	m->ibs.is_due = false;
	if (m->host.raise_ibs)
		m->host.raise_ibs(m->host.context,
		                  (unsigned)FIELD_GET(IbsControl_LvtOffset, r->control));
}

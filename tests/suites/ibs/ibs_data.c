/* SPDX-License-Identifier: MIT */
/* What a sample of an op says of its instruction: branches, loads and stores. */
#include <tests/suites/ibs/ibs_suite.h>

#include <arch/modes/paging.h>
#include <kernel/lib/format.h>
#include <kernel/machine/machine.h>
#include <pmu/workload/workload.h>

#define OP_DATA   IBS_OP ", IbsOpData"
#define OP_DATA3  IBS_OP ", IbsOpData3"

enum { SAMPLES = 200 };

/* Counts the samples of rows of this kind that have a bit, and all of them. */
struct tally { unsigned with, all; };

static uint64_t part_of(const struct ibs_sample *s, bool is_data3)
{
	return is_data3 ? s->data3 : s->data;
}

static struct tally tally(const struct ibs_log *log, bool is_data3, uint64_t bit, uint32_t kinds,
                          uint32_t kind)
{
	struct tally n = { 0, 0 };

	FOR_EACH_IBS_ROW(s, row, log)
		if ((row->kind & kinds) == kind) {
			n.all++;
			n.with += (part_of(s, is_data3) & bit) != 0;
		}
	return n;
}

/* Expects the bit in some samples of this kind of instruction, as not each op of one has it, and in
 * none of the others. */
static void judge_log(struct test_ctx *t, const char *what, const struct ibs_log *log,
                      bool is_data3, uint64_t bit, uint32_t kind)
{
	struct tally is = tally(log, is_data3, bit, kind, kind);
	struct tally is_not = tally(log, is_data3, bit, kind, 0);

	test_report(t, what, "%u of %u samples, of others %u of %u", is.with, is.all, is_not.with,
	            is_not.all);
	expect_between(t, "samples with it, of instructions that have it", is.with, 1, UINT64_MAX,
	               "low: one op of such an instruction has it; high: each may");
	expect_exact(t, "samples with it, of other instructions", is_not.with, 0,
	             "they do no such thing");
}

static void judge_bit(struct test_ctx *t, const char *what, bool is_data3, uint64_t bit,
                      uint32_t kind)
{
	uintptr_t buffer;

	judge_log(t, what, ibs_sample_mix(SAMPLES, &buffer), is_data3, bit, kind);
}

TEST(branch, .id = "ibs.data.branch", .needs = need_ibs_op_sampling, .source = OP_DATA "[37]",
     .claim = "a sample says that its op is a branch, of branches only")
{
	judge_bit(t, "IbsOpData[37], branch", false, IbsOpData_OpBrnRet, IBS_BRANCH);
}

TEST(returns, .id = "ibs.data.return", .needs = need_ibs_op_sampling, .source = OP_DATA "[34]",
     .claim = "a sample says that its op is a return, of RET only")
{
	judge_bit(t, "IbsOpData[34], return", false, IbsOpData_OpReturn, IBS_RETURN);
}

TEST(load, .id = "ibs.data.load", .needs = need_ibs_op_sampling, .source = OP_DATA3 "[0]",
     .claim = "a sample says that its op loads, of instructions that read memory only")
{
	judge_bit(t, "IbsOpData3[0], load", true, IbsOpData3_LdOp, IBS_LOAD);
}

TEST(store, .id = "ibs.data.store", .needs = need_ibs_op_sampling, .source = OP_DATA3 "[1]",
     .claim = "a sample says that its op stores, of instructions that write memory only")
{
	judge_bit(t, "IbsOpData3[1], store", true, IbsOpData3_StOp, IBS_STORE);
}

TEST(locked, .id = "ibs.data.locked", .needs = need_ibs_count_ops, .source = OP_DATA3 "[15]",
     .claim = "a sample says that its op is locked, of locked instructions only")
{
	const struct ibs_plan plan = { .op = ibs_op(0x0b, ibs_by_ops()), .is_varied = true };
	uint32_t size, address = (uint32_t)(uintptr_t)pmu_workload_arena(&size);

	ibs_window(&plan, ibs_locks, 4000, address);
	judge_log(t, "IbsOpData3[15], locked", ibs_get_log(), true, IbsOpData3_DcLockedOp,
	          IBS_LOCKED);
}

TEST(taken, .id = "ibs.data.taken", .needs = need_ibs_op_sampling, .source = OP_DATA "[35]",
     .claim = "a branch's sample says whether it was taken")
{
	uintptr_t buffer;
	const struct ibs_log *log = ibs_sample_mix(SAMPLES, &buffer);
	unsigned taken = 0, fell = 0;

	FOR_EACH_IBS_ROW(s, row, log)
		if (s->data & IbsOpData_OpBrnRet) {
			bool is_taken = row->kind & IBS_TAKEN;

			test_sub(t, "branch at %" PRIX64 "H", s->rip);
			expect_bits(t, "IbsOpData", s->data, IbsOpData_OpBrnTaken,
			            is_taken ? IbsOpData_OpBrnTaken : 0, "the same way each time");
			taken += is_taken;
			fell += !is_taken;
		}
	test_sub(t, "the loop");
	expect_between(t, "samples of branches that are taken", taken, 1, UINT64_MAX,
	               "low: there are some in each round; high: none");
	expect_between(t, "samples of the one that is not", fell, pmu_is_exact(), UINT64_MAX,
	               "low: elsewhere none may be sampled; high: none");
}

/* ---------------------------------------------------------------------------- targets */

/* Erratum 717 of family 15H, models 0 to FH. */
static const char *need_exact_target(struct test_ctx *t)
{
	const char *reason = need_ibs_target(t);

	if (reason || pmu_is_exact() || amd_family() != AMD_15H || machine_cpu()->model >= 0x10)
		return reason;
	return test_reason(t, "family 15H, model %XH: targets may be wrong (erratum 717)",
	                   machine_cpu()->model);
}

static void judge_targets(struct test_ctx *t, uint32_t kind, unsigned least)
{
	uintptr_t buffer;
	const struct ibs_log *log = ibs_sample_mix(SAMPLES, &buffer);
	unsigned judged = 0;

	FOR_EACH_IBS_ROW(s, row, log)
		if ((s->data & IbsOpData_OpBrnRet) && (row->kind & IBS_TAKEN) == kind) {
			test_sub(t, "branch at %" PRIX64 "H", s->rip);
			expect_exact(t, "IbsBrTarget", s->target, row->target,
			             "it is where execution went on");
			judged++;
		}
	test_sub(t, "the loop");
	expect_between(t, "branches judged", judged, least, UINT64_MAX,
	               "low: some come each round; high: none");
}

TEST(target, .id = "ibs.target.taken", .needs = need_exact_target,
     .source = IBS_OP ", IbsBrTarget",
     .claim = "the target of a branch that is taken is where it leads")
{
	judge_targets(t, IBS_TAKEN, 1);
}

TEST(falls, .id = "ibs.target.not_taken", .needs = need_exact_target,
     .source = IBS_OP ", IbsBrTarget",
     .claim = "the target of a branch that is not taken is the next instruction")
{
	judge_targets(t, 0, pmu_is_exact());
}

/* ---------------------------------------------------------------------------- addresses */

TEST(address, .id = "ibs.data.address", .needs = need_ibs_op_sampling,
     .source = IBS_OP ", IbsDcLinAd", .claim = "a load's or store's sample has its address")
{
	uintptr_t buffer;
	const struct ibs_log *log = ibs_sample_mix(SAMPLES, &buffer);
	unsigned judged = 0;

	FOR_EACH_IBS_ROW(s, row, log)
		if ((s->data3 & IbsOpData3_DcLinAddrValid) && row->bytes
		    && !(row->kind & IBS_STACK)) {
			test_sub(t, "access at %" PRIX64 "H", s->rip);
			expect_between(t, "IbsDcLinAd", s->linear, buffer,
			               buffer + IBS_MIX_BYTES - 1,
			               "low and high: the first and the last byte written to");
			judged++;
		}
	test_sub(t, "the loop");
	expect_between(t, "accesses judged", judged, 1, UINT64_MAX,
	               "low: some come each round; high: none");
}

TEST(physical, .id = "ibs.data.physical", .needs = need_ibs_op_sampling,
     .source = IBS_OP ", IbsDcPhysAd",
     .claim = "the physical address of a sample is that of its linear address")
{
	uintptr_t buffer;
	const struct ibs_log *log = ibs_sample_mix(SAMPLES, &buffer);
	const uint64_t both = IbsOpData3_DcLinAddrValid | IbsOpData3_DcPhyAddrValid;
	unsigned judged = 0;

	FOR_EACH_IBS_ROW(s, row, log)
		if ((s->data3 & both) == both && row->bytes) {
			test_sub(t, "access at %" PRIX64 "H", s->rip);
			expect_exact(t, "IbsDcPhysAd", s->physical,
			             paging_physical((const void *)(uintptr_t)s->linear),
			             "the page tables of this kernel say so");
			judged++;
		}
	test_sub(t, "the loop");
	expect_between(t, "accesses judged", judged, 1, UINT64_MAX,
	               "low: some come each round; high: none");
}

TEST(no_access, .id = "ibs.data.no_access", .needs = need_ibs_op_sampling,
     .source = OP_DATA3 "[18:17]",
     .claim = "a sample of an instruction without an access to memory has no address")
{
	uintptr_t buffer;
	const struct ibs_log *log = ibs_sample_mix(SAMPLES, &buffer);
	const uint64_t valid = IbsOpData3_DcLinAddrValid | IbsOpData3_DcPhyAddrValid;
	struct tally n = tally(log, true, valid, IBS_LOAD | IBS_STORE, 0);

	expect_between(t, "samples of such instructions", n.all, 1, UINT64_MAX,
	               "low: some come each round; high: none");
	expect_exact(t, "of these, with an address", n.with, 0, "there is none");
}

static const char *need_width(struct test_ctx *t)
{
	const char *reason = need_ibs_op_sampling(t);

	if (reason || amd_is_17h() || amd_family() > AMD_17H)
		return reason;
	return test_reason(t, "family %XH, before 17H: IbsOpData3[25:22] is reserved",
	                   amd_family());
}

TEST(width, .id = "ibs.data.width", .needs = need_width, .source = OP_DATA3 "[25:22]",
     .claim = "a load's or store's sample has its width")
{
	static const uint8_t codes[] = { [1] = 1, [2] = 2, [4] = 3, [8] = 4 };
	uintptr_t buffer;
	const struct ibs_log *log = ibs_sample_mix(SAMPLES, &buffer);

	FOR_EACH_IBS_ROW(s, row, log)
		if ((s->data3 & IbsOpData3_DcLinAddrValid) && row->bytes) {
			test_sub(t, "access of %u bytes at %" PRIX64 "H", (unsigned)row->bytes,
			         s->rip);
			expect_exact(t, "IbsOpData3[25:22]",
			             FIELD_GET(IbsOpData3_OpMemWidth, s->data3), codes[row->bytes],
			             "1 is a byte, 2 two, 3 four, 4 eight");
		}
	test_sub(t, "the loop");
	expect_between(t, "samples", log->count, 1, UINT64_MAX, "low: there are some; high: none");
}

/* ---------------------------------------------------------------------------- latencies */

/* Erratum 1212 of family 17H, models 30H to 3FH; 337 of the first steppings of 10H. */
static bool has_latencies(void)
{
	unsigned family = amd_family(), model = machine_cpu()->model;

	return pmu_is_exact() || !((family == AMD_17H && model >= 0x30 && model < 0x40) ||
	                           (family == AMD_10H && model < 4));
}

TEST(completion, .id = "ibs.data.completion", .needs = need_ibs_op_sampling,
     .source = OP_DATA "[31:0]",
     .claim = "from completion to retirement is not longer than from the tag to retirement")
{
	uintptr_t buffer;
	const struct ibs_log *log = ibs_sample_mix(SAMPLES, &buffer);
	unsigned wrong = 0, all = 0;

	FOR_EACH_IBS_ROW(s, row, log) {
		(void)row;
		all++;
		wrong += FIELD_GET(IbsOpData_CompToRetCtr, s->data) >
		         FIELD_GET(IbsOpData_TagToRetCtr, s->data);
	}
	expect_between(t, "samples", all, 1, UINT64_MAX, "low: there are some; high: none");
	if (has_latencies())
		expect_exact(t, "samples whose completion is longer", wrong, 0,
		             "an op completes after it was tagged");
	else
		test_report(t, "samples whose completion is longer", "%u", wrong);
}

struct misses { unsigned loads, misses, late; };

/* Samples reads; `late` are those that have a latency without a miss. */
static struct misses sample_reads(void (*code)(uint32_t, uint32_t), uint32_t rounds,
                                  uint32_t address)
{
	const struct ibs_log *log = ibs_get_log();
	const struct ibs_plan plan = { .op = ibs_op(0x0b, ibs_by_ops()), .is_varied = true };
	struct misses n = { 0, 0, 0 };

	ibs_window(&plan, code, rounds, address);
	for (unsigned i = 0; i < log->count && i < IBS_SAMPLES; i++) {
		uint64_t data3 = log->sample[i].data3;
		bool is_miss = data3 & IbsOpData3_DcMiss;

		if (!(data3 & IbsOpData3_LdOp) || log->sample[i].linear < address)
			continue;
		n.loads++;
		n.misses += is_miss;
		n.late += !is_miss && FIELD_GET(IbsOpData3_DcMissLat, data3);
	}
	return n;
}

/* The arena has room for so many lines of 64 bytes. */
enum { LINES = 8192 };

TEST(miss, .id = "ibs.data.miss", .needs = need_ibs_count_ops, .source = OP_DATA3 "[7]",
     .claim = "reads of many lines miss the data cache more often than reads of one, and only "
              "misses have a latency")
{
	uint32_t size, address = (uint32_t)(uintptr_t)pmu_workload_arena(&size);
	struct misses many = sample_reads(workload_walk.code, LINES, address);
	struct misses one = sample_reads(workload_load_at.code, LINES, address);

	test_report(t, "misses", "%u of %u reads of many lines, %u of %u of one", many.misses,
	            many.loads, one.misses, one.loads);
	expect_between(t, "misses of many lines", many.misses, one.misses + 1, UINT64_MAX,
	               "low: more than of one line; high: none");
	expect_exact(t, "latencies without a miss", many.late + one.late, 0,
	             "DcMissLat is valid only with DcMiss");
}

TEST(mispredicted, .id = "ibs.data.mispredicted", .needs = need_ibs_count_ops,
     .source = OP_DATA "[36]",
     .claim = "branches that nobody can predict are sampled as mispredicted, too")
{
	const struct ibs_log *log = ibs_get_log();
	unsigned branches = 0, missed = 0;

	ibs_window(&(const struct ibs_plan){ .op = ibs_op(0x0b, ibs_by_ops()),
	                                     .is_varied = true },
	           workload_random.code, 4000, 0x1234567);
	for (unsigned i = 0; i < log->count && i < IBS_SAMPLES; i++) {
		branches += (log->sample[i].data & IbsOpData_OpBrnRet) != 0;
		missed += (log->sample[i].data & IbsOpData_OpBrnMisp) != 0;
	}
	test_report(t, "branches", "%u, of which %u mispredicted", branches, missed);
	expect_between(t, "mispredicted branches", missed, 1, branches,
	               "low: one of four branches at least is a coin's toss; high: all");
}

TEST(tlb, .id = "ibs.data.tlb", .needs = need_ibs_count_ops, .source = OP_DATA3 "[3:2]",
     .claim = "reads of one page again and again do not miss the TLB")
{
	const struct ibs_plan plan = { .op = ibs_op(0x0b, ibs_by_ops()), .is_varied = true };
	uint32_t size, address = (uint32_t)(uintptr_t)pmu_workload_arena(&size);
	const struct ibs_log *log = ibs_get_log();
	unsigned loads = 0, missed = 0;

	ibs_window(&plan, workload_load_at.code, 4000, address);
	for (unsigned i = 0; i < log->count && i < IBS_SAMPLES; i++) {
		uint64_t data3 = log->sample[i].data3;

		if ((data3 & IbsOpData3_LdOp) && log->sample[i].linear == address) {
			loads++;
			missed += (data3 & (IbsOpData3_DcL1TlbMiss | IbsOpData3_DcL2TlbMiss)) != 0;
		}
	}
	expect_between(t, "samples of the load", loads, 10, UINT64_MAX,
	               "low: a third of 4000 rounds' ops, one in 176; high: none");
	expect_bounds(t, "of these, that missed a TLB", missed,
	              if_exact_in(0, 1, "low: the page is known; high: except at first"),
	              else_in(0, loads / 2, "low: the page is known; high: handlers may evict it"));
}

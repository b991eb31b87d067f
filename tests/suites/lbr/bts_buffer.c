/* SPDX-License-Identifier: MIT */
/* The end of BTS's buffer: a ring without BTINT, a PMI at the threshold with it. */
#include <tests/suites/lbr/bts_suite.h>

#include <stddef.h>

#include <arch/regs/cpu.h>
#include <kernel/lib/format.h>
#include <pmu/core/pmi.h>
#include <pmu/core/program.h>
#include <tests/suites/common/exactness.h>
#include <tests/suites/lbr/branches_interrupts.h>

#define USING "SDM 3B, Setting Up the BTS Buffer"

/* At CPL 0, with the IRET to the jumps. A PMI's skid ends in the PAUSEs after them. */
enum { JUMPS = 20, RECORDS = JUMPS + 1, WAIT = BRANCH_PAUSES_MAX };

/* Runs the jumps at CPL 0 with an empty buffer of this size and threshold. */
static struct branch_trace run(unsigned records, unsigned threshold, unsigned extra, uint64_t more)
{
	const struct branch_recorder by = bts_recorder(more);
	struct branch_trace trace;

	bts_set_up(records, threshold, extra);
	branches_run(branches_chain_and_pauses(JUMPS, WAIT), MODE_CPL0, &by, &trace);
	return trace;
}

/* ------------------------------------------------------------------------ ring */

static void judge_ring(struct test_ctx *t, unsigned records, unsigned extra)
{
	struct branch_trace trace = run(records, records + 1, extra, 0);

	test_sub(t, "room for %u records and %u bytes", records, extra);
	for (unsigned i = RECORDS - records; i < RECORDS; i++)
		if (!bts_expect_record(t, i % records, &trace.want[i],
		                       "the newest records have overwritten the oldest"))
			break;
	bts_expect_index(t, RECORDS % records,
	                 "at the end of the buffer the index returns to the base");
	bts_expect_no_damage(t);
}

/* The sizes do not divide the number of records: where the index is when the last record ends
 * exactly at the maximum, there or at the base, is not specified. */
TEST(ring, .id = "bts.buffer.ring", .needs = need_bts_modes, .source = USING,
     .claim = "without BTINT the buffer is a ring: the newest records overwrite the oldest from "
              "the base on, and nothing is written outside the buffer")
{
	for (unsigned records = 4; records <= JUMPS; records++) {
		if (RECORDS % records == 0)
			continue;
		judge_ring(t, records, 0);
		judge_ring(t, records, ds_record_size(DS_BTS) - 1);
	}
}

/* ------------------------------------------------------------------------ threshold */

/* Ends the recording by NMIs: branches_stopped_at() is the address that they interrupted, or 0. */
static struct branch_trace run_to_pmi(unsigned records, unsigned threshold)
{
	struct branch_trace trace;

	pmi_listen(PMI_NMI, NULL);
	branches_stop_at(X86_NMI);
	trace = run(records, threshold, 0, bts_bits()->btint);
	pmi_stop();
	return trace;
}

static void judge_pmi(struct test_ctx *t, unsigned threshold)
{
	struct branch_trace trace = run_to_pmi(RECORDS + 9, threshold);
	unsigned count = ds_index(DS_BTS);

	test_sub(t, "threshold after %u records of %u", threshold, RECORDS);
	if (!expect_between(t, "the PMI interrupted", branches_stopped_at(),
	                    trace.want[threshold - 1].to, branches_address(2 * (JUMPS + WAIT) + 11),
	                    "a PMI comes once the threshold is reached, before the code ends"))
		return;
	expect_bounds(t, "the PMI interrupted", branches_stopped_at(),
	              if_exact(trace.want[threshold - 1].to, "the PMI comes with the record that "
	                       "reaches the threshold"), ELSE_NOTHING);
	for (unsigned i = 0; i + 1 < count && i < trace.count; i++)
		bts_expect_record(t, i, &trace.want[i], "records before the PMI");
	bts_expect_record(t, count - 1,
	                  &(struct branch_want){ .from = branches_stopped_at(),
	                                         .to = branches_place(AT_STOP) },
	                  "the interrupt is the last record, from the address where it returns");
	if (pmu_is_exact())
		bts_expect_index(t, threshold + 1,
		                 "the buffer holds the records before the PMI, and the PMI's");
	bts_expect_no_damage(t);
}

TEST(pmi, .id = "bts.buffer.pmi", .needs = need_bts_pmi, .source = USING,
     .claim = "with BTINT a PMI comes when the index reaches the threshold")
{
	for (unsigned threshold = 2; threshold < RECORDS; threshold += 3)
		judge_pmi(t, threshold);
	if (pmu_has_status())
		test_report(t, "status", "%" PRIX64 "H", pmu_status());
	pmu_clear_status(pmu_status());
}

static void judge_no_pmi(struct test_ctx *t, unsigned threshold, uint64_t more)
{
	pmi_listen(PMI_NMI, NULL);
	branches_stop_at(X86_NMI);
	run(RECORDS + 9, threshold, 0, more);
	pmi_stop();
	test_sub(t, "threshold after %u records of %u, BTINT = %u", threshold, RECORDS, more != 0);
	expect_exact(t, "address that a PMI interrupted", branches_stopped_at(), 0,
	             "no PMI came");
	bts_expect_index(t, RECORDS, "the whole code was recorded");
	bts_expect_no_damage(t);
}

TEST(no_pmi, .id = "bts.buffer.no_pmi", .needs = need_bts_pmi, .source = USING,
     .claim = "no PMI comes before the threshold is reached, and none at all without BTINT")
{
	judge_no_pmi(t, RECORDS + 1, bts_bits()->btint);
	judge_no_pmi(t, RECORDS + 2, bts_bits()->btint);
	judge_no_pmi(t, RECORDS / 2, 0);
}

/* ------------------------------------------------------------------------ maximum */

static void judge_maximum(struct test_ctx *t, unsigned records, unsigned extra)
{
	struct branch_trace trace = run(records, RECORDS, extra, bts_bits()->btint);

	test_sub(t, "room for %u records and %u bytes", records, extra);
	expect_between(t, "BTS index", ds_index_address(DS_BTS), ds_base(DS_BTS),
	               ds_base(DS_BTS) + records * ds_record_size(DS_BTS),
	               "the index stays between the base and the end of the last whole record");
	bts_expect_no_damage(t);
	test_report(t, "a full buffer with BTINT", "index %u of %u, the first record is of branch "
	            "%s", ds_index(DS_BTS), records,
	            bts_get(0).from == trace.want[0].from ? "0" : "a later one");
}

TEST(maximum, .id = "bts.buffer.maximum", .needs = need_bts_modes, .source = AREA,
     .claim = "with BTINT and a threshold out of reach, nothing is written beyond the maximum, not "
              "even a part of a record")
{
	for (unsigned records = 4; records <= 8; records++) {
		judge_maximum(t, records, 0);
		judge_maximum(t, records, ds_record_size(DS_BTS) - 1);
	}
}

/* ------------------------------------------------------------------------ interrupts */

TEST(sti, .id = "bts.records.interrupt", .needs = need_bts_pmi, .source = AREA,
     .claim = "an interrupt writes a record whose FROM is its return address and whose "
              "TO is its handler")
{
	const struct branch_recorder by = bts_recorder(0);
	struct branch_want want;

	bts_set_up(4 * RECORDS, 4 * RECORDS + 1, 0);
	branches_run_sti(&by, &want);
	if (expect_exact(t, "the interrupt returns to", branches_stopped_at(), want.from,
	                 "the interrupt waited for the instruction after STI to end"))
		bts_expect_record(t, 1, &want, "FROM is the interrupt's return address");
	bts_expect_index(t, 2, "the buffer holds the IRET to the code, and the interrupt");
}

/* The loop's first records, until a PMI with the skid of 300 instructions has come. */
enum { ROOM = 400 };

TEST(nmi, .id = "bts.records.nmi", .needs = need_bts_pmi, .source = AREA,
     .claim = "an NMI, here a counter's PMI, writes a record whose FROM is its return address and "
              "whose TO is its handler")
{
	const struct branch_recorder by = bts_recorder(0);
	struct branch_want loop;
	unsigned count;

	bts_set_up(ROOM, ROOM + 1, 0);
	branches_run_pmi(&by, &loop);
	count = ds_index(DS_BTS);
	if (!expect_between(t, "the PMI returns to", branches_stopped_at(), loop.from,
	                    loop.from + 2,
	                    "the PMI came while the LOOP ran; the instruction after the "
	                    "LOOP ends the code")
	    || !expect_between(t, "records", count, 3, ROOM,
	                       "the buffer holds IRET, LOOP and NMI, as many as it has room for"))
		return;
	for (unsigned i = 1; i + 1 < count; i++)
		bts_expect_record(t, i, &loop, "the LOOP is a record each time it is taken");
	bts_expect_record(t, count - 1,
	                  &(struct branch_want){ .from = branches_stopped_at(),
	                                         .to = branches_place(AT_STOP) },
	                  "FROM is the interrupt's return address");
	bts_expect_no_damage(t);
}

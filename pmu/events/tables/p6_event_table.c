/* SPDX-License-Identifier: MIT */
/*
 * Source: SDM 3B, "Events That Can Be Counted with the P6 Family Performance-Monitoring Counters";
 * "Performance-Monitoring Events Modified on Intel Pentium M Processors" and "... on Intel Pentium
 * M Processors". An alias that is another spelling is from another edition.
 */
#include <pmu/events/events.h>

#include <arch/regs/table.h>

#define P6_ALL    (PMU_MODEL_PPRO | PMU_MODEL_PII | PMU_MODEL_PIII | PMU_MODEL_PM)
#define P6_NOT_M  (PMU_MODEL_PPRO | PMU_MODEL_PII | PMU_MODEL_PIII)
#define P6_MMX    (PMU_MODEL_PII | PMU_MODEL_PIII | PMU_MODEL_PM)
#define P6_SSE    (PMU_MODEL_PIII | PMU_MODEL_PM)

#define ROW(unit_, select_, name_)  .name = name_, .unit = unit_, .select = select_

#define EITHER  .counters = 1 << 0 | 1 << 1
#define ONLY_0  .counters = 1 << 0
#define ONLY_1  .counters = 1 << 1

#define MESI_BITS      { 1, "I" }, { 2, "S" }, { 4, "E" }, { 8, "M" }, { 0xf, "MESI" }
#define MESI           .masks = { MESI_BITS }
#define MESI_PREFETCH  .masks = { MESI_BITS, { 0x10, "PREFETCHED_ONLY" }, \
                                  { 0x20, "PREFETCHED_TOO" } }
#define SEGMENTS       .masks = { { 1, "ES" }, { 2, "DS" }, { 4, "FS" }, { 8, "GS" }, \
                                  { 0xf, "ALL" } }
#define MMX_UOPS       .masks = { { 0xf, "ALL" } }
#define MMX_CLASSES    .masks = { { 1, "MULTIPLY" }, { 2, "SHIFT" }, { 4, "PACK" }, \
                                  { 8, "UNPACK" }, { 0x10, "LOGICAL" }, { 0x20, "ARITHMETIC" } }

#define FIELD_OF(...)  .masks = { __VA_ARGS__ }, .is_enumerated = true
#define SELF_ANY       FIELD_OF({ 0, "SELF" }, { 0x20, "ANY" })
#define PREFETCH       FIELD_OF({ 0, "NTA" }, { 1, "T1" }, { 2, "T2" }, { 3, "STORES" })
#define SSE_KINDS      FIELD_OF({ 0, "PACKED_AND_SCALAR" }, { 1, "SCALAR" })
#define SSE_SSE2(all)  FIELD_OF({ 0, all }, { 1, "SCALAR_SINGLE" }, { 2, "PACKED_DOUBLE" }, \
                                { 3, "SCALAR_DOUBLE" })
#define MMX_FP         FIELD_OF({ 0, "MMX_TO_FP" }, { 1, "FP_TO_MMX" })
#define EST            FIELD_OF({ 0, "ALL" }, { 2, "FREQUENCY" })
#define FUSED          FIELD_OF({ 0, "ALL" }, { 1, "LOAD_OP" }, { 2, "STORE" })

const struct pmu_event pmu_events_p6[] = {
	/* The data cache unit. */
	{ ROW("DCU", 0x43, "DATA_MEM_REFS"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("data loads and stores of every memory type that were performed; each "
	            "half of a split one, and internal retries; 80-bit x87 twice; no I/O") },
	{ ROW("DCU", 0x45, "DCU_LINES_IN"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("lines allocated in the L1 data cache") },
	{ ROW("DCU", 0x46, "DCU_M_LINES_IN"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("lines allocated in L1D directly in Modified state") },
	{ ROW("DCU", 0x47, "DCU_M_LINES_OUT"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("modified lines evicted from L1D, including eviction by HITM snoop, "
	            "intervention or replacement") },
	{ ROW("DCU", 0x48, "DCU_MISS_OUTSTANDING"), EITHER, .kind = PMU_WEIGHTED, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("L1D misses outstanding, added up each clock; one that misses L2 as "
	            "well is short by 2; later loads of the line add nothing; not exact") },

	/* The instruction fetch unit. */
	{ ROW("IFU", 0x80, "IFU_IFETCH"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("instruction fetches, cacheable and uncacheable") },
	{ ROW("IFU", 0x81, "IFU_IFETCH_MISS"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("instruction fetches that missed the IFU and went to memory, "
	            "uncacheable ones too") },
	{ ROW("IFU", 0x85, "ITLB_MISS"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("instruction TLB misses") },
	{ ROW("IFU", 0x86, "IFU_MEM_STALL"), EITHER, .kind = PMU_CYCLES, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("clocks the fetch pipe is stalled: IFU miss, ITLB miss or fault, "
	            "victim cache") },
	{ ROW("IFU", 0x87, "ILD_STALL"), EITHER, .kind = PMU_CYCLES, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("clocks the instruction length decoder is stalled") },

	/* The second-level cache; the Pentium M gives four of these a new meaning. */
	{ ROW("L2", 0x28, "L2_IFETCH"), EITHER, .kind = PMU_COUNT, .models = P6_ALL, MESI,
	  .umask = 0x0f,
	  PMU_WORDS("cacheable instruction fetches received by L2, without ITLB walks; "
	            "mask 00H: nothing") },
	{ ROW("L2", 0x29, "L2_LD"), EITHER, .kind = PMU_COUNT, .models = P6_NOT_M,
	  .is_required = true, MESI, .umask = 0x0f,
	  PMU_WORDS("cacheable, unlocked data loads received by L2, TLB walks too; mask "
	            "00H: nothing") },
	{ ROW("L2", 0x2a, "L2_ST"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, MESI, .umask = 0x0f,
	  PMU_WORDS("cacheable, unlocked stores received by L2: RFO, I to M; mask 00H: "
	            "nothing") },
	{ ROW("L2", 0x24, "L2_LINES_IN"), EITHER, .kind = PMU_COUNT, .models = P6_NOT_M,
	  .is_required = true, PMU_WORDS("lines allocated in L2") },
	{ ROW("L2", 0x26, "L2_LINES_OUT"), EITHER, .kind = PMU_COUNT, .models = P6_NOT_M,
	  .is_required = true, PMU_WORDS("lines removed from L2 for any reason") },
	{ ROW("L2", 0x25, "L2_M_LINES_INM"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("modified lines allocated in L2") },
	{ ROW("L2", 0x27, "L2_M_LINES_OUTM"), EITHER, .kind = PMU_COUNT, .models = P6_NOT_M,
	  .is_required = true, PMU_WORDS("modified lines removed from L2 for any reason") },
	{ ROW("L2", 0x2e, "L2_RQSTS"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, MESI, .umask = 0x0f,
	  PMU_WORDS("all L2 requests; mask 00H: nothing") },
	{ ROW("L2", 0x21, "L2_ADS"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("L2 address strobes") },
	{ ROW("L2", 0x22, "L2_DBUS_BUSY"), EITHER, .kind = PMU_CYCLES, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("clocks the L2 data bus is busy") },
	{ ROW("L2", 0x23, "L2_DBUS_BUSY_RD"), EITHER, .kind = PMU_CYCLES, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("clocks the L2 data bus is busy moving read data from L2 to the core") },

	/* The external bus logic. */
	{ ROW("EBL", 0x62, "BUS_DRDY_CLOCKS"), EITHER, .kind = PMU_CYCLES, .models = P6_ALL,
	  .is_required = true, SELF_ANY,
	  PMU_WORDS("clocks DRDY# is asserted; SELF: bus clocks this CPU drives it, ANY: "
	            "processor clocks") },
	{ ROW("EBL", 0x63, "BUS_LOCK_CLOCKS"), EITHER, .kind = PMU_CYCLES, .models = P6_ALL,
	  .is_required = true, SELF_ANY, PMU_WORDS("processor clocks LOCK# is asserted") },
	{ ROW("EBL", 0x60, "BUS_REQ_OUTSTANDING"), EITHER, .kind = PMU_WEIGHTED, .models = P6_ALL,
	  PMU_WORDS("cacheable full-line reads outstanding on the bus, added up each "
	            "clock; self only") },
	{ ROW("EBL", 0x65, "BUS_TRAN_BRD"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .aliases = { "BUS_TRANS_BRD" }, SELF_ANY, PMU_WORDS("burst read transactions") },
	{ ROW("EBL", 0x66, "BUS_TRAN_RFO"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, .aliases = { "BUS_TRANS_RFO" }, SELF_ANY,
	  PMU_WORDS("read-for-ownership transactions") },
	{ ROW("EBL", 0x67, "BUS_TRANS_WB"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .aliases = { "BUS_TRAN_WB" }, SELF_ANY, PMU_WORDS("write-back transactions") },
	{ ROW("EBL", 0x68, "BUS_TRAN_IFETCH"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, SELF_ANY, PMU_WORDS("instruction-fetch transactions") },
	{ ROW("EBL", 0x69, "BUS_TRAN_INVAL"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, SELF_ANY, PMU_WORDS("invalidate transactions") },
	{ ROW("EBL", 0x6a, "BUS_TRAN_PWR"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, SELF_ANY, PMU_WORDS("partial write transactions") },
	{ ROW("EBL", 0x6b, "BUS_TRAN_P"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, .aliases = { "BUS_TRANS_P" }, SELF_ANY,
	  PMU_WORDS("partial transactions") },
	{ ROW("EBL", 0x6c, "BUS_TRAN_IO"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, .aliases = { "BUS_TRANS_IO" }, SELF_ANY,
	  PMU_WORDS("I/O transactions; an aligned IN or OUT is one") },
	{ ROW("EBL", 0x6d, "BUS_TRAN_DEF"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, SELF_ANY, PMU_WORDS("deferred transactions") },
	{ ROW("EBL", 0x6e, "BUS_TRAN_BURST"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, SELF_ANY, PMU_WORDS("burst transactions") },
	{ ROW("EBL", 0x70, "BUS_TRAN_ANY"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, SELF_ANY, PMU_WORDS("all transactions, special cycles too") },
	{ ROW("EBL", 0x6f, "BUS_TRAN_MEM"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, SELF_ANY, PMU_WORDS("memory transactions") },
	{ ROW("EBL", 0x64, "BUS_DATA_RCV"), EITHER, .kind = PMU_BUS_CYCLES, .models = P6_ALL,
	  .aliases = { "BUS_DATA_RECV" },
	  PMU_WORDS("bus clocks this CPU receives data; self only") },
	{ ROW("EBL", 0x61, "BUS_BNR_DRV"), EITHER, .kind = PMU_BUS_CYCLES, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("bus clocks this CPU drives BNR#; self only") },
	{ ROW("EBL", 0x7a, "BUS_HIT_DRV"), EITHER, .kind = PMU_BUS_CYCLES, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("bus clocks this CPU drives HIT#, snoop stalls too; self only") },
	{ ROW("EBL", 0x7b, "BUS_HITM_DRV"), EITHER, .kind = PMU_BUS_CYCLES, .models = P6_ALL,
	  PMU_WORDS("bus clocks this CPU drives HITM#, snoop stalls too; self only") },
	{ ROW("EBL", 0x7e, "BUS_SNOOP_STALL"), EITHER, .kind = PMU_CYCLES, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("clocks the bus is snoop-stalled; self only") },

	/* Floating point. */
	{ ROW("FPU", 0xc1, "FLOPS"), ONLY_0, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("computing x87 operations retired; no loads, stores, traps and "
	            "assists; parts of transcendentals are in") },
	{ ROW("FPU", 0x10, "FP_COMP_OPS_EXE"), ONLY_0, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("computing operations executed, speculative: FADD FSUB FCOM FMUL FDIV "
	            "FPREM FSQRT and integer MUL IMUL DIV IDIV") },
	{ ROW("FPU", 0x11, "FP_ASSIST"), ONLY_1, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("x87 exceptions and denormals handled by microcode, speculative") },
	{ ROW("FPU", 0x12, "MUL"), ONLY_1, .kind = PMU_COUNT, .models = P6_ALL, .is_required = true,
	  PMU_WORDS("multiplies, integer and x87, speculative") },
	{ ROW("FPU", 0x13, "DIV"), ONLY_1, .kind = PMU_COUNT, .models = P6_ALL, .is_required = true,
	  PMU_WORDS("divides, integer and x87, speculative") },
	{ ROW("FPU", 0x14, "CYCLES_DIV_BUSY"), ONLY_0, .kind = PMU_CYCLES, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("clocks the divider is busy, speculative") },

	/* Memory ordering. */
	{ ROW("MEM_ORDER", 0x03, "LD_BLOCKS"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("loads delayed by store-buffer blocks: unknown address or data, "
	            "partial overlap") },
	{ ROW("MEM_ORDER", 0x04, "SB_DRAINS"), EITHER, .kind = PMU_CYCLES, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("clocks the store buffer drains: CPUID, XCHG, INTA, cache flush") },
	{ ROW("MEM_ORDER", 0x05, "MISALIGN_MEM_REF"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("data references dispatched that cross 8 bytes; approximate, may "
	            "count repeatedly") },
	{ ROW("MEM_ORDER", 0x07, "EMON_KNI_PREF_DISPATCHED"), EITHER, .kind = PMU_COUNT,
	  .models = P6_SSE, .aliases = { "EMON_SSE_PREF_DISPATCHED" }, PREFETCH,
	  PMU_WORDS("SSE prefetches or weakly-ordered stores dispatched, speculative") },
	{ ROW("MEM_ORDER", 0x4b, "EMON_KNI_PREF_MISS"), EITHER, .kind = PMU_COUNT, .models = P6_SSE,
	  .aliases = { "EMON_SSE_PREF_MISS" }, PREFETCH,
	  PMU_WORDS("SSE prefetches or weakly-ordered stores that miss all caches") },

	/* Decoding and retirement. */
	{ ROW("DECODE_RETIRE", 0xc0, "INST_RETIRED"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("instructions retired; a REP string instruction is one") },
	{ ROW("DECODE_RETIRE", 0xc2, "UOPS_RETIRED"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("micro-ops retired, up to 3 a clock") },
	{ ROW("DECODE_RETIRE", 0xd0, "INST_DECODED"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, .aliases = { "INST_DECODER" },
	  PMU_WORDS("instructions decoded, speculative, up to 3 a clock") },
	{ ROW("DECODE_RETIRE", 0xd8, "EMON_KNI_INST_RETIRED"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PIII, .aliases = { "EMON_SSE_INST_RETIRED" }, SSE_KINDS,
	  PMU_WORDS("SSE instructions retired") },
	{ ROW("DECODE_RETIRE", 0xd9, "EMON_KNI_COMP_INST_RET"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PIII, .aliases = { "EMON_SSE_COMP_INST_RET" }, SSE_KINDS,
	  PMU_WORDS("SSE computational instructions retired") },

	/* Interrupts. */
	{ ROW("INTERRUPT", 0xc8, "HW_INT_RX"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("hardware interrupts received") },
	{ ROW("INTERRUPT", 0xc6, "CYCLES_INT_MASKED"), EITHER, .kind = PMU_CYCLES, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("clocks with EFLAGS.IF = 0") },
	{ ROW("INTERRUPT", 0xc7, "CYCLES_INT_PENDING_AND_MASKED"), EITHER, .kind = PMU_CYCLES,
	  .models = P6_ALL,
	  PMU_WORDS("clocks with EFLAGS.IF = 0 while an interrupt is pending") },

	/* Branches. */
	{ ROW("BRANCH", 0xc4, "BR_INST_RETIRED"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("branch instructions retired") },
	{ ROW("BRANCH", 0xc5, "BR_MISS_PRED_RETIRED"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("mispredicted branches retired") },
	{ ROW("BRANCH", 0xc9, "BR_TAKEN_RETIRED"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("taken branches retired") },
	{ ROW("BRANCH", 0xca, "BR_MISS_PRED_TAKEN_RET"), EITHER, .kind = PMU_COUNT,
	  .models = P6_ALL, .is_required = true,
	  PMU_WORDS("taken mispredicted branches retired") },
	{ ROW("BRANCH", 0xe0, "BR_INST_DECODED"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("branch instructions decoded, speculative") },
	{ ROW("BRANCH", 0xe2, "BTB_MISSES"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  PMU_WORDS("branches for which the BTB had no prediction") },
	{ ROW("BRANCH", 0xe4, "BR_BOGUS"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("branches predicted by the BTB where there is none") },
	{ ROW("BRANCH", 0xe6, "BACLEARS"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("static predictions by the decoder, as the BTB had none") },

	/* Stalls. */
	{ ROW("STALL", 0xa2, "RESOURCE_STALLS"), EITHER, .kind = PMU_CYCLES, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("clocks without a resource (ROB, RS, memory buffers), recovery from "
	            "mispredictions, serialising drains") },
	{ ROW("STALL", 0xd2, "PARTIAL_RAT_STALLS"), EITHER, .kind = PMU_COUNT_OR_CYCLES,
	  .models = P6_ALL, .is_required = true, .aliases = { "PARTIAL_STALLS" },
	  PMU_WORDS("clocks or events of partial-register and flag stalls") },

	/* Segment registers. */
	{ ROW("SEGMENT", 0x06, "SEGMENT_REG_LOADS"), EITHER, .kind = PMU_COUNT, .models = P6_ALL,
	  .is_required = true, PMU_WORDS("segment register loads") },

	/* Clocks. */
	{ ROW("CLOCKS", 0x79, "CPU_CLK_UNHALTED"), EITHER, .kind = PMU_CYCLES, .models = P6_ALL,
	  .is_required = true,
	  PMU_WORDS("clocks not halted; Pentium M: nor in a thermal trip") },

	/* MMX. */
	{ ROW("MMX", 0xb0, "MMX_INSTR_EXEC"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PII,
	  PMU_WORDS("MMX instructions executed, without MOVQ and MOVD stores") },
	{ ROW("MMX", 0xb1, "MMX_SAT_INSTR_EXEC"), EITHER, .kind = PMU_COUNT, .models = P6_MMX,
	  PMU_WORDS("saturating MMX instructions executed") },
	{ ROW("MMX", 0xb2, "MMX_UOPS_EXEC"), EITHER, .kind = PMU_COUNT, .models = P6_MMX, MMX_UOPS,
	  .umask = 0x0f, PMU_WORDS("MMX micro-ops executed") },
	{ ROW("MMX", 0xb3, "MMX_INSTR_TYPE_EXEC"), EITHER, .kind = PMU_COUNT, .models = P6_MMX,
	  MMX_CLASSES, .umask = 0x3f, PMU_WORDS("MMX instructions executed, by class") },
	{ ROW("MMX", 0xcc, "FP_MMX_TRANS"), EITHER, .kind = PMU_COUNT, .models = P6_MMX, MMX_FP,
	  PMU_WORDS("transitions between MMX and x87 use") },
	{ ROW("MMX", 0xcd, "MMX_ASSIST"), EITHER, .kind = PMU_COUNT, .models = P6_MMX,
	  PMU_WORDS("EMMS instructions executed") },
	{ ROW("MMX", 0xce, "MMX_INSTR_RET"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PII,
	  PMU_WORDS("MMX instructions retired") },

	/* Segment register renaming. */
	{ ROW("SEG_RENAME", 0xd4, "SEG_RENAME_STALLS"), EITHER, .kind = PMU_COUNT, .models = P6_MMX,
	  SEGMENTS, .umask = 0x0f, PMU_WORDS("segment-register renaming stalls") },
	{ ROW("SEG_RENAME", 0xd5, "SEG_REG_RENAMES"), EITHER, .kind = PMU_COUNT, .models = P6_MMX,
	  SEGMENTS, .umask = 0x0f, PMU_WORDS("segment-register renames") },
	{ ROW("SEG_RENAME", 0xd6, "RET_SEG_RENAMES"), EITHER, .kind = PMU_COUNT, .models = P6_MMX,
	  PMU_WORDS("segment-register renames retired") },

	/*
	 * The following events are the Pentium M's; those of L2 are split by MESI and by requester.
	 */
	{ ROW("PM_L2", 0x24, "L2_LINES_IN"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  MESI_PREFETCH, .umask = 0x2f,
	  PMU_WORDS("lines allocated in L2, by state and prefetch") },
	{ ROW("PM_L2", 0x26, "L2_LINES_OUT"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  MESI_PREFETCH, .umask = 0x2f,
	  PMU_WORDS("lines evicted from L2, by state and prefetch") },
	{ ROW("PM_L2", 0x27, "L2_M_LINES_OUT"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  MESI_PREFETCH, .umask = 0x2f,
	  PMU_WORDS("modified lines evicted from L2, by state and prefetch") },
	{ ROW("PM_L2", 0x29, "L2_LD"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  MESI_PREFETCH, .umask = 0x2f,
	  PMU_WORDS("data loads received by L2, by state and prefetch") },
	{ ROW("PM_POWER", 0x58, "EMON_EST_TRANS"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PM, EST, PMU_WORDS("enhanced SpeedStep transitions") },
	{ ROW("PM_POWER", 0x59, "EMON_THERMAL_TRIP"), EITHER, .kind = PMU_COUNT_OR_CYCLES,
	  .models = PMU_MODEL_PM, PMU_WORDS("time in thermal trip; with EDGE: trips") },
	{ ROW("PM_BR", 0x88, "BR_INST_EXEC"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  PMU_WORDS("branches executed (not necessarily retired)") },
	{ ROW("PM_BR", 0x89, "BR_MISSP_EXEC"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  PMU_WORDS("executed branches mispredicted at execution") },
	{ ROW("PM_BR", 0x8a, "BR_BAC_MISSP_EXEC"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PM,
	  PMU_WORDS("executed branches mispredicted at the front end (BAC)") },
	{ ROW("PM_BR", 0x8b, "BR_CND_EXEC"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  PMU_WORDS("conditional branches executed") },
	{ ROW("PM_BR", 0x8c, "BR_CND_MISSP_EXEC"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PM, PMU_WORDS("conditional branches executed, mispredicted") },
	{ ROW("PM_BR", 0x8d, "BR_IND_EXEC"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  PMU_WORDS("indirect branches executed") },
	{ ROW("PM_BR", 0x8e, "BR_IND_MISSP_EXEC"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PM, PMU_WORDS("indirect branches executed, mispredicted") },
	{ ROW("PM_BR", 0x8f, "BR_RET_EXEC"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  PMU_WORDS("returns executed") },
	{ ROW("PM_BR", 0x90, "BR_RET_MISSP_EXEC"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PM, PMU_WORDS("returns mispredicted at execution") },
	{ ROW("PM_BR", 0x91, "BR_RET_BAC_MISSP_EXEC"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PM, PMU_WORDS("returns mispredicted at the front end") },
	{ ROW("PM_BR", 0x92, "BR_CALL_EXEC"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  PMU_WORDS("CALLs executed") },
	{ ROW("PM_BR", 0x93, "BR_CALL_MISSP_EXEC"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PM, PMU_WORDS("CALLs executed, mispredicted") },
	{ ROW("PM_BR", 0x94, "BR_IND_CALL_EXEC"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  PMU_WORDS("indirect CALLs executed") },
	{ ROW("PM_SIMD", 0xce, "EMON_SIMD_INSTR_RETIRED"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PM, PMU_WORDS("MMX instructions retired") },
	{ ROW("PM_UOP", 0xd3, "EMON_SYNCH_UOPS"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  PMU_WORDS("synchronising micro-ops") },
	{ ROW("PM_UOP", 0xd7, "EMON_ESP_UOPS"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  PMU_WORDS("total number of micro-ops, by the manual; it is not known which") },
	{ ROW("PM_SIMD", 0xd8, "EMON_SSE_SSE2_INST_RETIRED"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PM, SSE_SSE2("PACKED_AND_SCALAR_SINGLE"),
	  PMU_WORDS("SSE and SSE2 instructions retired") },
	{ ROW("PM_SIMD", 0xd9, "EMON_SSE_SSE2_COMP_INST_RETIRED"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PM, SSE_SSE2("PACKED_SINGLE"),
	  PMU_WORDS("computing SSE and SSE2 instructions retired") },
	{ ROW("PM_UOP", 0xda, "EMON_FUSED_UOPS_RET"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PM, FUSED, PMU_WORDS("fused micro-ops retired") },
	{ ROW("PM_UOP", 0xdb, "EMON_UNFUSION"), EITHER, .kind = PMU_COUNT, .models = PMU_MODEL_PM,
	  PMU_WORDS("unfusions in the ROB: FP exception on a fused micro-op") },
	{ ROW("PM_PREF", 0xf0, "EMON_PREF_RQSTS_UP"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PM, PMU_WORDS("upward hardware prefetches issued") },
	{ ROW("PM_PREF", 0xf8, "EMON_PREF_RQSTS_DN"), EITHER, .kind = PMU_COUNT,
	  .models = PMU_MODEL_PM, PMU_WORDS("downward hardware prefetches issued") },
};

const unsigned pmu_events_p6_count = COUNT_OF(pmu_events_p6);

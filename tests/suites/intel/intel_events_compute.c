/* SPDX-License-Identifier: MIT */
/* Intel's events of instructions, micro-operations, arithmetic and interrupts. See
 * event_exercise.h. */
#include <tests/suites/intel/intel_exercises.h>

/* DEC and JNZ may fuse into one micro-operation. */
#define UOPS_OF(name) \
	{ .event = name, LOOPS("loop"), AT_LEAST(1, 0), \
	  .why = "low: DEC and JNZ are a micro-operation or two; high: no list bounds it" }

INTEL_EVENT(EVERY_CORE, uops,
	"the event counts micro-operations that are issued, executed or retired: at least one for "
	"each round of a loop",
	UOPS_OF("UOPS_RETIRED.ANY|UOPS_RETIRED.ALL"),
	UOPS_OF("UOPS_RETIRED.RETIRE_SLOTS|UOPS_RETIRED.SLOTS"),
	UOPS_OF("RS_UOPS_DISPATCHED|UOPS_ISSUED.ANY"),
	UOPS_OF("UOPS_EXECUTED.THREAD"),
	UOPS_OF("UOPS_EXECUTED.CORE"));

INTEL_EVENT(UP_TO_NEHALEM, decoded,
	"the event counts decoded instructions: at least two for each round of DEC and JNZ",
	{ .event = "MACRO_INSTS.DECODED|MACRO_INSTS.ALL_DECODED", LOOPS("loop"), AT_LEAST(2, 0),
	  .why = "low: what retires was decoded; high: so was what did not retire" });

/* At most 16 instructions retire in a clock. */
#define CLOCKS(name, code, more) \
	{ .event = name, LOOPS(code), AT_LEAST(1, more), .per = 8, \
	  .why = "low: a round has two instructions, of which at most 16 retire in a clock; " \
	         "high: no manual bounds it" }
#define NO_CLOCKS(name, code, more) \
	{ .event = name, LOOPS(code), EXACTLY(0, EXERCISE_IF_EXACT | (more)), \
	  .reason = "the window itself begins and ends at CPL 0", \
	  .why = "all of the code runs at the other level" }

INTEL_EVENT(SANDY_BRIDGE_TO_BROADWELL, cycles_by_level,
	"the event counts clocks at the level of its mask: at least one for eight rounds of a loop "
	"there, none elsewhere",
	CLOCKS("CPL_CYCLES.RING0", "loop", 0),
	CLOCKS("CPL_CYCLES.RING123", "loop", EXERCISE_USR),
	NO_CLOCKS("CPL_CYCLES.RING123", "loop", 0),
	NO_CLOCKS("CPL_CYCLES.RING0", "loop", EXERCISE_USR));

INTEL_EVENT(UP_TO_IVY_BRIDGE, x87,
	"the event counts x87 instructions or operations: one for each FADD or FMUL, none for an "
	"integer MUL or a loop",
	EXECUTED("FP_COMP_OPS_EXE|FP_COMP_OPS_EXE.X87|X87_COMP_OPS_EXE.ANY.S", "fadd", 1,
	         "an FADD a round", "mul"),
	EXECUTED("X87_COMP_OPS_EXE.ANY.AR|X87_OPS_RETIRED.ANY", "fmul", 1, "an FMUL a round",
	         "loop"));

INTEL_EVENT(UP_TO_NEHALEM, multiplications,
	"the event counts multiplications or divisions: one for each MUL or DIV, none for a load",
	EXECUTED("MUL|MUL.S|ARITH.MUL", "mul", 1, "a MUL a round", "load"),
	EXECUTED("MUL.AR", "mul", 1, "a MUL a round", "load"),
	EXECUTED("DIV|DIV.S", "divide", 1, "a DIV a round", "load"),
	EXECUTED("DIV.AR", "divide", 1, "a DIV a round", "load"));

#define SSE(name, code, still_) \
	EXECUTED(name, code, 1, "an instruction of its kind a round", still_)

INTEL_EVENT(UP_TO_IVY_BRIDGE, sse_kinds,
	"the event counts SSE instructions or operations of the kind in its mask: one for each of "
	"that kind, none for another or an integer instruction",
	SSE("SIMD_INST_RETIRED.PACKED_SINGLE|SSEX_UOPS_RETIRED.PACKED_SINGLE"
	    "|FP_COMP_OPS_EXE.SSE_PACKED_SINGLE", "sse_add_packed", "sse_add_scalar"),
	SSE("SIMD_INST_RETIRED.SCALAR_SINGLE|SSEX_UOPS_RETIRED.SCALAR_SINGLE"
	    "|FP_COMP_OPS_EXE.SSE_SCALAR_SINGLE", "sse_add_scalar", "sse_add_packed"),
	SSE("SIMD_INST_RETIRED.PACKED_DOUBLE|SSEX_UOPS_RETIRED.PACKED_DOUBLE"
	    "|FP_COMP_OPS_EXE.SSE_PACKED_DOUBLE", "sse2_add_packed", "sse_add_packed"),
	SSE("SIMD_INST_RETIRED.SCALAR_DOUBLE|SSEX_UOPS_RETIRED.SCALAR_DOUBLE"
	    "|FP_COMP_OPS_EXE.SSE_SCALAR_DOUBLE", "sse2_add_scalar", "sse_add_scalar"),
	SSE("SIMD_COMP_INST_RETIRED.PACKED_SINGLE", "sse_add_packed", "sse_move"),
	SSE("SIMD_COMP_INST_RETIRED.SCALAR_SINGLE", "sse_add_scalar", "sse_move_scalar"),
	SSE("SIMD_COMP_INST_RETIRED.PACKED_DOUBLE", "sse2_add_packed", "sse_move"),
	SSE("SIMD_COMP_INST_RETIRED.SCALAR_DOUBLE", "sse2_add_scalar", "sse_move"),
	SSE("FP_COMP_OPS_EXE.SSE_FP", "sse_add_packed", "fadd"),
	SSE("FP_COMP_OPS_EXE.SSE_FP_PACKED", "sse_add_packed", "sse_add_scalar"),
	SSE("FP_COMP_OPS_EXE.SSE_FP_SCALAR", "sse_add_scalar", "sse_add_packed"),
	SSE("FP_COMP_OPS_EXE.SSE_SINGLE_PRECISION", "sse_add_scalar", "sse2_add_scalar"),
	SSE("FP_COMP_OPS_EXE.SSE_DOUBLE_PRECISION", "sse2_add_scalar", "sse_add_scalar"));

#define FLOPS(name, code, still_) \
	RETIRED(name, code, 1, "an instruction of its kind a round", still_)

INTEL_EVENT(SINCE_BROADWELL, fp_arithmetic,
	"the event counts retired instructions that compute with the operands in its mask: one for "
	"each addition of that kind, none for another, a move or an x87 FADD",
	FLOPS("FP_ARITH_INST_RETIRED.SCALAR_SINGLE", "sse_add_scalar", "sse_add_packed"),
	FLOPS("FP_ARITH_INST_RETIRED.SCALAR_DOUBLE", "sse2_add_scalar", "sse_add_scalar"),
	FLOPS("FP_ARITH_INST_RETIRED.128B_PACKED_SINGLE", "sse_add_packed", "sse_add_scalar"),
	FLOPS("FP_ARITH_INST_RETIRED.128B_PACKED_DOUBLE", "sse2_add_packed", "sse_add_packed"),
	FLOPS("FP_ARITH_INST_RETIRED.SCALAR", "sse_add_scalar", "fadd"),
	FLOPS("FP_ARITH_INST_RETIRED.SCALAR", "sse2_add_scalar", "sse_move"),
	FLOPS("FP_ARITH_INST_RETIRED.4_FLOPS", "sse_add_packed", "sse2_add_packed"),
	FLOPS("FP_ARITH_INST_RETIRED.VECTOR", "sse2_add_packed", "sse2_add_scalar"),
	RETIRED("FP_ARITH_INST_RETIRED.256B_PACKED_SINGLE", "sse_add_packed", 0,
	        "its operands have 128 bits", "loop"),
	RETIRED("FP_ARITH_INST_RETIRED.256B_PACKED_DOUBLE", "sse2_add_packed", 0,
	        "its operands have 128 bits", "loop"));

INTEL_EVENT(UP_TO_NEHALEM, mmx,
	"the event counts MMX instructions or operations of the class in its mask: one for each of "
	"that class, none for another",
	SSE("SIMD_UOP_TYPE_EXEC.ARITHMETIC|SIMD_UOP_TYPE_EXEC.ARITHMETIC.S"
	    "|SIMD_INT_64.PACKED_ARITH", "mmx_add", "mmx_logic"),
	SSE("SIMD_UOP_TYPE_EXEC.LOGICAL|SIMD_UOP_TYPE_EXEC.LOGICAL.S|SIMD_INT_64.PACKED_LOGICAL",
	    "mmx_logic", "mmx_add"),
	SSE("SIMD_UOP_TYPE_EXEC.MUL|SIMD_UOP_TYPE_EXEC.MUL.S|SIMD_INT_64.PACKED_MPY", "mmx_mul",
	    "mmx_add"),
	SSE("SIMD_UOP_TYPE_EXEC.SHIFT|SIMD_UOP_TYPE_EXEC.SHIFT.S|SIMD_INT_64.PACKED_SHIFT",
	    "mmx_shift", "mmx_add"),
	SSE("SIMD_UOP_TYPE_EXEC.PACK|SIMD_UOP_TYPE_EXEC.PACK.S|SIMD_INT_64.PACK", "mmx_pack",
	    "mmx_add"),
	SSE("SIMD_UOP_TYPE_EXEC.UNPACK|SIMD_UOP_TYPE_EXEC.UNPACK.S|SIMD_INT_64.UNPACK",
	    "mmx_unpack", "mmx_add"),
	SSE("SIMD_INSTR_RETIRED|INST_RETIRED.MMX|FP_COMP_OPS_EXE.MMX", "mmx_add", "loop"),
	SSE("SIMD_SAT_INSTR_RETIRED", "mmx_saturating", "mmx_add"),
	SSE("SIMD_SAT_UOP_EXEC|SIMD_SAT_UOP_EXEC.S", "mmx_saturating", "mmx_add"),
	SSE("SIMD_UOPS_EXEC|SIMD_UOPS_EXEC.S", "mmx_add", "loop"));

INTEL_EVENT(NEHALEM_ALONE, x87_retired,
	"the event counts retired x87 instructions: one for each FADD, none for MMX",
	EXECUTED("INST_RETIRED.X87", "fadd", 1, "an FADD a round", "mmx_add"));

INTEL_EVENT(E_CORES, uop_kinds,
	"the event counts micro-operations of its kind: at least one for each x87 operation, DIV "
	"or FDIV, none for a loop",
	EXECUTED("UOPS_RETIRED.X87", "fadd", 1, "an FADD a round", "sse_add_scalar"),
	EXECUTED("UOPS_RETIRED.IDIV", "divide", 1, "a DIV a round", "mul"),
	EXECUTED("ARITH.IDIV_UOPS", "divide", 1, "a DIV a round", "mul"),
	EXECUTED("ARITH.DIV_UOPS", "divide", 1, "a DIV a round", "mul"),
	EXECUTED("UOPS_RETIRED.FPDIV", "fdiv", 1, "an FDIV a round", "divide"),
	EXECUTED("ARITH.FPDIV_UOPS", "fdiv", 1, "an FDIV a round", "divide"));

#define SKYMONT_ALONE(name, claim)  INTEL_TEST(skymont, name, claim)

INTEL_EVENT(SKYMONT_ALONE, fp_instructions,
	"the event counts retired instructions that compute with the operands in its mask: one for "
	"each addition of that kind, none for another, a move or an x87 FADD",
	FLOPS("FP_INST_RETIRED.32B_SP", "sse_add_scalar", "sse_add_packed"),
	FLOPS("FP_INST_RETIRED.64B_DP", "sse2_add_scalar", "sse_add_scalar"),
	FLOPS("FP_INST_RETIRED.128B_SP", "sse_add_packed", "sse2_add_packed"),
	FLOPS("FP_INST_RETIRED.128B_DP", "sse2_add_packed", "sse2_add_scalar"),
	FLOPS("FP_INST_RETIRED.ALL", "sse_add_scalar", "fadd"),
	FLOPS("FP_INST_RETIRED.ALL", "sse2_add_packed", "sse_move"),
	RETIRED("FP_INST_RETIRED.256B_SP", "sse_add_packed", 0, "its operands have 128 bits",
	        "loop"),
	RETIRED("FP_INST_RETIRED.256B_DP", "sse2_add_packed", 0, "its operands have 128 bits",
	        "loop"));

INTEL_EVENT(E_CORES, fences,
	"the event counts retired LFENCEs: one for each, none for a loop",
	EXECUTED("MISC_RETIRED1.LFENCE", "lfence", 1, "an LFENCE a round", "loop"));

#define HITS_OF_APIC(name) \
	{ .event = name, MOVES("interrupts", 2, 6), EXACTLY(1, 0), \
	  .why = "an interrupt of the local APIC a round", INTEL_STILL("int_iret") }

#define INTERRUPT_GENERATIONS(name, claim) \
	CORE2_AND_BONNELL(name, claim) INTEL_TEST(skylake, name, claim) \
	INTEL_TEST(sapphirerapids, name, claim)

INTEL_EVENT(INTERRUPT_GENERATIONS, interrupts,
	"the event counts hardware interrupts that are received: one for each of the local APIC, "
	"none for INT n",
	HITS_OF_APIC("HW_INT_RCV|HW_INTERRUPTS.RECEIVED"));

#define PREFETCHED(name, code, still_) \
	EXECUTED(name, code, 1, "a prefetch instruction a round", still_)

#define PREFETCH_GENERATIONS(name, claim) \
	CORE2_AND_BONNELL(name, claim) SINCE_SKYLAKE(name, claim)

INTEL_EVENT(PREFETCH_GENERATIONS, prefetch_instructions,
	"the event counts prefetch instructions by their kind: one for each of its kind, none for "
	"another or a load",
	PREFETCHED("SSE_PRE_EXEC.NTA|PREFETCH.PREFETCHNTA|SW_PREFETCH_ACCESS.NTA", "prefetchnta",
	           "prefetcht0"),
	PREFETCHED("SSE_PRE_EXEC.L1|PREFETCH.PREFETCHT0|SW_PREFETCH_ACCESS.T0", "prefetcht0",
	           "prefetchnta"),
	PREFETCHED("SSE_PRE_EXEC.L2|PREFETCH.SW_L2|SW_PREFETCH_ACCESS.T1_T2", "prefetcht2",
	           "prefetcht0"));

/* ------------------------------------------------------------------------ shown */

#define SHOW(name, code, text) \
	{ .event = name, INTEL_LOOPS(code), SHOWN(0), .reason = text }
#define WAITS     "clocks of waiting, which no manual bounds"
#define CLEARS    "no manual says how often a clear of the pipeline counts"
#define BLOCKS    "depends on buffers that no manual describes"
#define FRONT_END "depends on the front end's buffers, which no manual describes"
#define ASSISTED  "no manual says which operations need the assist"

INTEL_EVENT(EVERY_CORE, shown,
	"the event has a count that no manual bounds; it is shown, not judged",
	SHOW("RESOURCE_STALLS.ANY|RESOURCE_STALLS.DIV_BUSY|RESOURCE_STALLS.SCOREBOARD"
	     "|BE_STALLS.SCOREBOARD", "divide", WAITS),
	SHOW("MACHINE_NUKES.SMC|MACHINE_CLEARS.SMC", "loop", CLEARS),
	SHOW("MACHINE_NUKES.MEM_ORDER|MACHINE_CLEARS.MEMORY_ORDERING|MACHINE_CLEARS.MEM_ORDER",
	     "load_store", CLEARS),
	SHOW("LOAD_BLOCK.OVERLAP_STORE|LD_BLOCKS.STORE_FORWARD|STORE_FORWARDS.GOOD", "blocked_load",
	     BLOCKS),
	SHOW("LOAD_BLOCK.STA|STORE_FORWARDS.ANY|LD_BLOCKS.NO_SR", "inside_load", BLOCKS),
	SHOW("CYCLES_DIV_BUSY|ARITH.CYCLES_DIV_BUSY|ARITH.FPU_DIV_ACTIVE|ARITH.DIVIDER_UOPS"
	     "|ARITH.DIVIDER_ACTIVE|ARITH.DIV_ACTIVE", "divide", WAITS),
	SHOW("FP_ASSIST|FP_ASSIST.S|FP_ASSIST.ALL|FP_ASSIST.X87_INPUT|FP_ASSIST.ANY|ASSISTS.FP",
	     "fp_assist", ASSISTED),
	SHOW("SIMD_ASSIST|FP_ASSIST.SIMD_INPUT|ASSISTS.ANY", "sse_denormal", ASSISTED),
	SHOW("BACLEARS|BACLEARS.ANY|BACLEAR.CLEAR", "jmp_indirect", FRONT_END),
	SHOW("ILD_STALL|ILD_STALL.LCP|DECODE_STALL.IQ_FULL|DECODE.LCP", "length_prefix", FRONT_END),
	SHOW("RAT_STALLS.PARTIAL_CYCLES|RAT_STALLS.ANY|INT_MISC.RECOVERY_CYCLES", "random", WAITS),
	SHOW("ILD_STALL.ANY|IDQ.MITE_UOPS", "loop", FRONT_END),
	SHOW("IDQ.DSB_UOPS", "loop", FRONT_END),
	SHOW("IDQ.MS_UOPS|UOPS.MS_CYCLES|UOPS_DECODED.MS_CYCLES_ACTIVE", "cpuid", FRONT_END),
	SHOW("CYCLE_ACTIVITY.STALLS_TOTAL|CYCLE_ACTIVITY.CYCLES_NO_EXECUTE", "divide", WAITS),
	SHOW("RS_EVENTS.EMPTY_CYCLES|RS.EMPTY|RS_EMPTY.CYCLES", "random", WAITS),
	SHOW("CYCLES_INT_MASKED|CYCLES_INT_MASKED.CYCLES_INT_MASKED", "loop_masked", WAITS),
	SHOW("SEGMENT_REG_LOADS|SEGMENT_REG_LOADS.ANY", "load_ds",
	     "no manual says what else loads a segment register"),
	SHOW("SEG_REG_RENAMES.ANY", "load_es", "no manual says what else renames one"),
	SHOW("MEM_UOPS_RETIRED.LOCK_LOADS|MEM_INST_RETIRED.LOCK_LOADS", "lock_inc",
	     "the list counts locked loads, and silicon more than one for some"),
	SHOW("L1D_CACHE_LOCK.MESI|CACHE_LOCK_CYCLES.L1D|LOCK_CYCLES.CACHE_LOCK_DURATION",
	     "lock_inc", WAITS),
	SHOW("ESP.ADDITIONS|UOPS_DECODED.ESP_FOLDING", "push_pop", FRONT_END),
	SHOW("BOGUS_BR|BPU_CLEARS.EARLY", "random", FRONT_END),
	SHOW("ICACHE.ACCESSES", "loop", FRONT_END),
	SHOW("UOPS_RETIRED.MS", "cpuid", FRONT_END),
	SHOW("LD_HEAD.ANY", "load", WAITS),
	SHOW("MEM_BOUND_STALLS.LOAD|MEM_BOUND_STALLS_LOAD.ALL", "load", WAITS),
	SHOW("SERIALIZATION.NON_C01_MS_SCB", "cpuid", WAITS),
	SHOW("MEM_SCHEDULER_BLOCK.ALL", "store", BLOCKS),
	SHOW("MACHINE_CLEARS.DISAMBIGUATION", "inside_load", CLEARS),
	SHOW("MACHINE_CLEARS.PAGE_FAULT", "load", CLEARS));

/* SPDX-License-Identifier: MIT */
/* Events of every P5: data, code, segments, the bus. */
#include <tests/suites/p5/p5_events.h>

/* ------------------------------------------------------------------------ data */

P5_EVENT(data_read,
	"the event counts reads of data: one for a MOV from memory, a POP or an ADD to memory, "
	"none for a MOV to memory",
	{ .event = "DATA_READ", MOVES("load"), EXACTLY(1, "a MOV from memory a round"),
	  STILL("store") },
	{ .event = "DATA_READ", MOVES("load_store"), EXACTLY(1, "ADD to memory reads it once") },
	{ .event = "DATA_READ", MOVES("push_pop"), EXACTLY(1, "POP reads"), STILL("loop") });

P5_EVENT(data_write,
	"the event counts writes of data: one for a MOV to memory, a PUSH or an ADD to memory, "
	"none for a MOV from memory",
	{ .event = "DATA_WRITE", MOVES("store"), EXACTLY(1, "a MOV to memory a round"),
	  STILL("load") },
	{ .event = "DATA_WRITE", MOVES("load_store"), EXACTLY(1, "ADD to memory writes it once") },
	{ .event = "DATA_WRITE", MOVES("push_pop"), EXACTLY(1, "PUSH writes"), STILL("loop") });

P5_EVENT(data_read_or_write,
	"the event counts reads and writes of data together: one for a MOV from or to memory, "
	"two for an ADD to memory, none in a loop of registers",
	{ .event = "DATA_READ_OR_WRITE", MOVES("load"), EXACTLY(1, "a read"), STILL("loop") },
	{ .event = "DATA_READ_OR_WRITE", MOVES("store"), EXACTLY(1, "a write") },
	{ .event = "DATA_READ_OR_WRITE", MOVES("load_store"),
	  EXACTLY(2, "ADD to memory reads and writes it") });

P5_EVENT(data_tlb_miss,
	"the event counts data accesses that the data TLB misses: one for each load whose page "
	"INVLPG has dropped, none for a page that the TLB has",
	{ .event = "DATA_TLB_MISS", MOVES("invlpg"),
	  EXACTLY(1, "INVLPG drops the translation that the load after it needs"),
	  STILL("load") });

P5_EVENT(data_read_miss,
	"the event counts reads that the data cache misses: one for each new line of a walk "
	"through 250 KB, one for each uncacheable read, none for a line that is cached",
	{ .event = "DATA_READ_MISS", EACH_LINE("walk32"), STILL("load") },
	{ .event = "DATA_READ_MISS", MOVES("apic_reads"),
	  EXACTLY(1, "reads that turn out not to be cacheable count as well") });

P5_EVENT(data_write_miss,
	"the event counts writes that the data cache misses: one for each new line of a walk "
	"through 250 KB, one for each uncacheable write, none for a line that is cached",
	{ .event = "DATA_WRITE_MISS", EACH_LINE("store_walk32"), STILL("load_store") },
	{ .event = "DATA_WRITE_MISS", MOVES("apic_writes"),
	  EXACTLY(1, "writes that turn out not to be cacheable count as well") });

P5_EVENT(data_read_miss_or_write_miss,
	"the event counts reads and writes that the data cache misses: one for each new line of "
	"a walk through 250 KB and for each uncacheable read, none for a line that is cached",
	{ .event = "DATA_READ_MISS_OR_WRITE_MISS", EACH_LINE("walk32"), STILL("load_store") },
	{ .event = "DATA_READ_MISS_OR_WRITE_MISS", EACH_LINE("store_walk32") },
	{ .event = "DATA_READ_MISS_OR_WRITE_MISS", MOVES("apic_reads"),
	  EXACTLY(1, "reads that turn out not to be cacheable count as well") });

P5_EVENT(write_hit_to_m_or_e_state_lines,
	"the event counts writes that hit a line in state M or E: one for each ADD to a line "
	"that is modified already, none for loads",
	{ .event = "WRITE_HIT_TO_M_OR_E_STATE_LINES", MOVES("load_store"),
	  EXACTLY(1, "ADD reads the line, so its write hits; after the first write the "
	             "line is modified"),
	  STILL("load") });

P5_EVENT(data_cache_lines_written_back,
	"the event counts modified lines that the data cache writes back: one for nearly each "
	"line of a walk of stores through 250 KB, none while one line is written again and again",
	{ .event = "DATA_CACHE_LINES_WRITTEN_BACK", .moves = "modify_walk32", .few = 16,
	  .many = 8016, .low = 93, .high = 101, .per = 100,
	  .flags = EXERCISE_RELATION | EXERCISE_ARENA | EXERCISE_COLD,
	  .why = "low: each written line makes room for another, except for the last 16 KB; high: "
	         "the window's own lines may be among them", STILL("load_store") });

P5_EVENT(misaligned_data_memory_or_io_references,
	"the event counts misaligned references to data: one for each read or write of four "
	"bytes across a boundary of four or eight or across two lines, none for an aligned one",
	{ .event = "MISALIGNED_DATA_MEMORY_OR_IO_REFERENCES", MOVES("misaligned4_load"),
	  EXACTLY(1, "four bytes across a boundary of four"), STILL("load") },
	{ .event = "MISALIGNED_DATA_MEMORY_OR_IO_REFERENCES", MOVES("misaligned_load"),
	  EXACTLY(1, "four bytes across a boundary of eight") },
	{ .event = "MISALIGNED_DATA_MEMORY_OR_IO_REFERENCES", MOVES("misaligned_store"),
	  EXACTLY(1, "a write across the boundary counts as well") },
	{ .event = "MISALIGNED_DATA_MEMORY_OR_IO_REFERENCES", MOVES("split_load"),
	  EXACTLY(1, "it is one reference, although in two lines"), STILL("push_pop") });

P5_EVENT(memory_accesses_in_both_pipes,
	"the event counts data accesses that run in both pipes together: one for each pair of "
	"loads, none for a load alone",
	{ .event = "MEMORY_ACCESSES_IN_BOTH_PIPES", MOVES("load_two_banks"),
	  EXACTLY(1, "two MOVs that pair, each from memory"), STILL("load") });

P5_EVENT(bank_conflicts,
	"the event counts accesses of both pipes to the same bank of the data cache: one for "
	"each pair of loads whose address bits 4 to 2 are equal, none where they differ",
	{ .event = "BANK_CONFLICTS", MOVES("load_one_bank"),
	  EXACTLY(1, "two MOVs that pair, bits 4 to 2 of their addresses equal"),
	  STILL("load_two_banks") });

P5_EVENT(external_snoops,
	"the event counts snoops of the bus that the processor accepts, whether or not they hit; "
	"p5.smp.snoops judges it",
	{ .event = "EXTERNAL_SNOOPS", .test = "p5.smp.snoops" });

P5_EVENT(external_data_cache_snoop_hits,
	"the event counts snoops of the bus that hit a line of the data cache or of its buffers; "
	"p5.smp.snoops judges it",
	{ .event = "EXTERNAL_DATA_CACHE_SNOOP_HITS", .test = "p5.smp.snoops" });

P5_EVENT(noncacheable_memory_reads,
	"the event counts reads of uncacheable memory: one for each read of a register of the "
	"local APIC, none for a cacheable load or an IN",
	{ .event = "NONCACHEABLE_MEMORY_READS", MOVES("apic_reads"),
	  EXACTLY(1, "a register of the local APIC, in memory that is never cached"),
	  STILL("load") },
	{ .event = "NONCACHEABLE_MEMORY_READS", MOVES("apic_reads"),
	  EXACTLY(1, "reads of I/O space do not count"), STILL("in_port") });

/* ------------------------------------------------------------------------ code */

P5_EVENT(code_read,
	"the event counts reads of code, cacheable or not: at least one for each line of 32 NOPs "
	"and for each jump to another line",
	{ .event = "CODE_READ", MOVES("nops"),
	  FROM(1, 32, 32, "low: a line of 32 bytes holds 32 NOPs; high: one read for each NOP") },
	{ .event = "CODE_READ", .moves = "code_walk", .few = 16, .many = 8016,
	  FROM(100, 202, 100, "low: each jump goes to another line; high: the next line is read "
	       "ahead, and so are the window's own") });

P5_EVENT(code_tlb_miss,
	"the event counts reads of code that the code TLB misses: one or two for each MOV to "
	"CR3, none in a loop",
	{ .event = "CODE_TLB_MISS", MOVES("cr3"),
	  FROM(1, 2, 1, "low: MOV to CR3 drops the translation of the code around it; high: a page "
	       "may end there"), STILL("loop") });

P5_EVENT(code_cache_miss,
	"the event counts reads of code that the code cache misses: one or two for each jump to "
	"a line that is not cached, none in a loop",
	{ .event = "CODE_CACHE_MISS", .moves = "code_walk", .few = 16, .many = 8016,
	  .low = 100, .high = 202, .per = 100, .flags = EXERCISE_RELATION | EXERCISE_COLD,
	  .why = "low: each jump goes to another line, none of which was cached; high: the next "
	         "line is read ahead, and the window's own were evicted", STILL("loop") });

/* ------------------------------------------------------------------------ segments, bus */

P5_EVENT(any_segment_register_loaded,
	"the event counts loads of segment registers and of descriptor-table registers: one for "
	"each MOV to DS, ES, FS or GS, LGDT or far JMP, two for a far CALL and its RET, none in "
	"a loop",
	{ .event = "ANY_SEGMENT_REGISTER_LOADED", MOVES("load_ds"), EXACTLY(1, "MOV DS"),
	  STILL("loop") },
	{ .event = "ANY_SEGMENT_REGISTER_LOADED", MOVES("load_es"), EXACTLY(1, "MOV ES") },
	{ .event = "ANY_SEGMENT_REGISTER_LOADED", MOVES("load_fs"), EXACTLY(1, "MOV FS") },
	{ .event = "ANY_SEGMENT_REGISTER_LOADED", MOVES("load_gs"), EXACTLY(1, "MOV GS") },
	{ .event = "ANY_SEGMENT_REGISTER_LOADED", MOVES("lgdt"),
	  EXACTLY(1, "the GDTR counts as a control register") },
	{ .event = "ANY_SEGMENT_REGISTER_LOADED", MOVES("far_jmp"),
	  EXACTLY(1, "CS is loaded, without a change of privilege") },
	{ .event = "ANY_SEGMENT_REGISTER_LOADED", MOVES("far_call"),
	  EXACTLY(2, "CALL and RET both load CS") });

P5_EVENT(bus_cycle_duration,
	"the event counts clocks in which a bus cycle is in progress: at least one for each IN, "
	"none in a loop",
	{ .event = "BUS_CYCLE_DURATION", MOVES("in_port"), CLOCKS_EACH("low: IN is a bus cycle"),
	  STILL("loop") });

P5_EVENT(locked_bus_cycle,
	"the event counts locked bus cycles, of a read and write only the read: one for each "
	"LOCK INC or XCHG with memory, two where the operand lies in two lines, none without a "
	"lock",
	{ .event = "LOCKED_BUS_CYCLE", MOVES("lock_inc"),
	  EXACTLY(1, "of the locked read and write only the read counts"), STILL("load_store") },
	{ .event = "LOCKED_BUS_CYCLE", MOVES("xchg"), EXACTLY(1, "XCHG with memory is locked") },
	{ .event = "LOCKED_BUS_CYCLE", MOVES("split_lock"),
	  EXACTLY(2, "an operand in two lines is read by two cycles") });

P5_EVENT(io_read_or_write_cycle,
	"the event counts bus cycles to I/O space: one for each IN or OUT, none for accesses to "
	"memory",
	{ .event = "IO_READ_OR_WRITE_CYCLE", MOVES("in_port"), EXACTLY(1, "IN"), STILL("loop") },
	{ .event = "IO_READ_OR_WRITE_CYCLE", MOVES("out_port"), EXACTLY(1, "OUT"),
	  STILL("load_store") });

P5_EVENT(write_buffer_full_stall_duration,
	"the event counts clocks in which full write buffers stall the pipeline: in a walk of "
	"stores no more than the time-stamp counter",
	{ .event = "WRITE_BUFFER_FULL_STALL_DURATION", .moves = "store_walk32", .few = 16,
	  .many = 8016, .flags = EXERCISE_REPORTED | EXERCISE_ARENA,
	  .reason = "the board decides how fast the bus takes writes" });

P5_EVENT(waiting_for_data_memory_read_stall_duration,
	"the event counts clocks in which the pipeline waits for a read of data: at least one "
	"for each uncacheable read, none in a loop",
	{ .event = "WAITING_FOR_DATA_MEMORY_READ_STALL_DURATION", MOVES("apic_reads"),
	  CLOCKS_EACH("low: the read goes to the bus"), STILL("loop") });

P5_EVENT(stall_on_write_to_an_e_or_m_state_line,
	"the event counts clocks in which a write to a line in state E or M waits for the write "
	"buffers: in a walk of stores no more than the time-stamp counter",
	{ .event = "STALL_ON_WRITE_TO_AN_E_OR_M_STATE_LINE", .moves = "store_walk32", .few = 16,
	  .many = 8016, .flags = EXERCISE_REPORTED | EXERCISE_ARENA,
	  .reason = "the board decides how fast the bus takes writes" });

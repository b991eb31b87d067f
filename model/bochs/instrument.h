/* SPDX-License-Identifier: MIT */
/*
 * Selects the callbacks of Bochs' instrumentation that the PMU model needs.
 *
 * All of Bochs includes this file: a change here compiles Bochs anew, a change elsewhere in model/
 * only links it anew. So this file names nothing of the model, and the hot callbacks are calls only
 * while something counts (see bx_model_watched).
 */
class bxInstruction_c;

enum { BX_MODEL_NOT_MINE = -1 };

/* Some processor counts, so the model needs to know what all of them do. */
extern bool bx_model_watched;

/* The model also looks at each instruction before it executes, or only at the next one. */
extern bool bx_model_looks_before;

void bx_model_initialize(unsigned cpu);
void bx_model_reset(unsigned cpu, unsigned type);
void bx_model_opcode(unsigned cpu, bxInstruction_c *i, const Bit8u *bytes, unsigned bits);
void bx_model_before(unsigned cpu, bxInstruction_c *i);
void bx_model_after(unsigned cpu, bxInstruction_c *i);
void bx_model_access(unsigned cpu, bx_address linear, bx_phy_address physical, unsigned size,
                     unsigned memtype, unsigned rw);
void bx_model_prefetch(unsigned cpu, unsigned segment, bx_address offset);
void bx_model_io(bool is_write, unsigned port, unsigned size);
void bx_model_near_branch(unsigned cpu, unsigned what);
void bx_model_far_branch(unsigned cpu, unsigned what);
void bx_model_conditional(unsigned cpu, bool is_taken);
void bx_model_exception(unsigned cpu, unsigned vector);
void bx_model_interrupt(unsigned cpu, unsigned vector);
void bx_model_delivers(unsigned cpu, unsigned vector);
void bx_model_moved(unsigned cpu);
void bx_model_vmexit(unsigned cpu, unsigned reason);
int bx_model_wrmsr(unsigned cpu, unsigned msr, Bit64u value);
void bx_model_sleep(unsigned cpu);
void bx_model_tlb_control(unsigned cpu, unsigned what, Bit64u value);
void bx_model_cache_control(unsigned cpu);

#define BX_MODEL_WHILE_WATCHED(call) \
	do { if (__builtin_expect(bx_model_watched, false)) call; } while (0)

#define BX_INSTR_INITIALIZE(cpu)      bx_model_initialize(cpu)
#define BX_INSTR_RESET(cpu, type)     bx_model_reset(cpu, type)
#define BX_INSTR_OPCODE(cpu, i, opcode, length, is32, is64) \
	bx_model_opcode(cpu, i, opcode, (is64) ? 64 : (is32) ? 32 : 16)

#define BX_INSTR_BEFORE_EXECUTION(cpu, i) \
	do { \
		if (__builtin_expect(bx_model_looks_before, false)) \
			bx_model_before(cpu, i); \
	} while (0)
#define BX_INSTR_AFTER_EXECUTION(cpu, i)  BX_MODEL_WHILE_WATCHED(bx_model_after(cpu, i))
#define BX_INSTR_LIN_ACCESS(cpu, linear, physical, size, memtype, rw) \
	BX_MODEL_WHILE_WATCHED(bx_model_access(cpu, linear, physical, size, memtype, rw))
#define BX_INSTR_PREFETCH_HINT(cpu, what, segment, offset) \
	BX_MODEL_WHILE_WATCHED(bx_model_prefetch(cpu, segment, offset))
#define BX_INSTR_INP(address, length) \
	BX_MODEL_WHILE_WATCHED(bx_model_io(false, address, length))
#define BX_INSTR_OUTP(address, length, value) \
	BX_MODEL_WHILE_WATCHED(bx_model_io(true, address, length))

#define BX_INSTR_CNEAR_BRANCH_TAKEN(cpu, ip, to) \
	BX_MODEL_WHILE_WATCHED(bx_model_conditional(cpu, true))
#define BX_INSTR_CNEAR_BRANCH_NOT_TAKEN(cpu, ip) \
	BX_MODEL_WHILE_WATCHED(bx_model_conditional(cpu, false))
#define BX_INSTR_UCNEAR_BRANCH(cpu, what, ip, to) \
	BX_MODEL_WHILE_WATCHED(bx_model_near_branch(cpu, what))
#define BX_INSTR_FAR_BRANCH(cpu, what, from_cs, from_ip, cs, ip) \
	BX_MODEL_WHILE_WATCHED(bx_model_far_branch(cpu, what))

#define BX_INSTR_EXCEPTION(cpu, vector, error_code) \
	BX_MODEL_WHILE_WATCHED(bx_model_exception(cpu, vector))
#define BX_INSTR_HWINTERRUPT(cpu, vector, cs, ip) \
	BX_MODEL_WHILE_WATCHED(bx_model_interrupt(cpu, vector))
#define BX_INSTR_INTERRUPT(cpu, vector) \
	BX_MODEL_WHILE_WATCHED(bx_model_delivers(cpu, vector))
#define BX_INSTR_HLT(cpu)             BX_MODEL_WHILE_WATCHED(bx_model_sleep(cpu))

/* These may be what starts a counter. */
#define BX_INSTR_VMEXIT(cpu, reason, qualification) bx_model_vmexit(cpu, reason)
/* INVD or WBINVD. */
#define BX_INSTR_CACHE_CNTRL(cpu, what) bx_model_cache_control(cpu)

#define BX_INSTR_TLB_CNTRL(cpu, what, value) \
	do { \
		if (bx_model_watched || (what) == BX_INSTR_CONTEXT_SWITCH) \
			bx_model_tlb_control(cpu, what, value); \
	} while (0)

/* Stands at the beginning of Bochs' own function, which returns whether a register took a value. */
#define BX_INSTR_WRMSR(cpu, msr, value) \
	do { \
		int result = bx_model_wrmsr(cpu, msr, value); \
		if (result != BX_MODEL_NOT_MINE) \
			return result; \
	} while (0)

/* These callbacks are not used: those above report the same, or the model does not need it. */
#define BX_INSTR_INIT_ENV()
#define BX_INSTR_EXIT_ENV()
#define BX_INSTR_EXIT(cpu)
#define BX_INSTR_MWAIT(cpu, address, length, flags)
#define BX_INSTR_DEBUG_PROMPT()
#define BX_INSTR_DEBUG_CMD(command)
#define BX_INSTR_CLFLUSH(cpu, linear, physical)
#define BX_INSTR_REPEAT_ITERATION(cpu, i)
#define BX_INSTR_PHY_ACCESS(cpu, physical, length, memtype, rw)
#define BX_INSTR_INP2(address, length, value)

/* SPDX-License-Identifier: MIT */
/*
 * What QEMU's own sources, as the patches here change them, call of the reference PMU. All of
 * target/i386 includes this file: a change here compiles it anew, a change elsewhere in model/ only
 * links QEMU anew. A processor without the property refpmu has env->pmu == NULL, and nothing here
 * changes it.
 */
#ifndef TARGET_I386_TCG_REFPMU_HOOKS_H
#define TARGET_I386_TCG_REFPMU_HOOKS_H

#include "exec/memopidx.h"

#ifndef CONFIG_USER_ONLY

/* Creates the PMU that the property asks for; sets CPUID's signature by its name. */
bool pmu_create(X86CPU *cpu, Error **errp);
/* QEMU has reset the processor. */
void pmu_reset(X86CPU *cpu);
/* The next resets are by INIT, or are not. */
void pmu_set_init(bool is_init);

/* Change CPUID's answer; return the TSC without the guest's offset. */
void pmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf, uint32_t *eax, uint32_t *ebx,
               uint32_t *ecx, uint32_t *edx);
uint64_t pmu_tsc(CPUX86State *env);

/* Execute an instruction, or raise its exception; return false if the register is not the PMU's. */
bool pmu_rdmsr(CPUX86State *env, uintptr_t ra);
bool pmu_wrmsr(CPUX86State *env, uint64_t value, uintptr_t ra);
bool pmu_rdpmc(CPUX86State *env, uintptr_t ra);
/* Raises #GP(0) for a register that neither QEMU nor the PMU has. */
void pmu_unknown_msr(CPUX86State *env, uintptr_t ra);

/* The local APIC's registers that AMD alone has; return false if this is none of them. */
bool pmu_apic_read(CPUX86State *env, int index, uint32_t *value);
bool pmu_apic_write(CPUX86State *env, int index, uint32_t value);

/* Accesses of the instruction under way; rw is enum qemu_plugin_mem_rw, or 0 for a prefetch. */
void pmu_access(CPUX86State *env, uint64_t address, MemOpIdx oi, unsigned rw);
void pmu_io(CPUX86State *env, bool is_write, uint32_t port, unsigned size);

/* Events between instructions, or in one: right before QEMU acts on them. */
void pmu_exception(CPUX86State *env, int vector, bool is_int);
void pmu_interrupt(CPUX86State *env, int vector);
void pmu_halt(CPUX86State *env);
void pmu_write_cr(CPUX86State *env, int reg, uint64_t value);
void pmu_flush_page(CPUX86State *env);
void pmu_smi(CPUX86State *env);
/* The same, right after. */
void pmu_rsm(CPUX86State *env);
void pmu_efer(CPUX86State *env);
void pmu_vm_entered(CPUX86State *env);
void pmu_vm_injects(CPUX86State *env, uint32_t event);
void pmu_vm_leaves(CPUX86State *env);
void pmu_vm_exited(CPUX86State *env);

/*
 * Translation: a block begins; an instruction was decoded, whose bytes these are, and EIP is ahead
 * of the variable by so much; the block is complete, so that the reports can be put into it. The
 * second returns whether the instruction prefetches its operand.
 */
struct DisasContextBase;
void pmu_block_begins(bool is_watched);
bool pmu_insn_is(const struct DisasContextBase *db, uint32_t ahead, const uint8_t *bytes,
                 unsigned length, unsigned bits);
void pmu_block_ends(CPUX86State *env, const struct DisasContextBase *db);

#define CPU_MEM_HOOK
static inline void cpu_mem_hook(CPUX86State *env, uint64_t address, MemOpIdx oi, unsigned rw)
{
	if (unlikely(env->pmu_flag))
		pmu_access(env, address, oi, rw);
}

#else

static inline bool pmu_rdpmc(CPUX86State *env, uintptr_t ra) { return false; }
static inline uint64_t pmu_tsc(CPUX86State *env) { return cpu_get_tsc(env); }
static inline void pmu_interrupt(CPUX86State *env, int vector) { }
static inline void pmu_cpuid(CPUX86State *env, uint32_t leaf, uint32_t subleaf, uint32_t *eax,
                             uint32_t *ebx, uint32_t *ecx, uint32_t *edx) { }

#endif
#endif

/* SPDX-License-Identifier: MIT */
/*
 * Provides a spin lock. Locks must be SHARED; zero means free. Interrupt handlers must not take
 * them.
 */
#ifndef ARCH_CPU_LOCK_H
#define ARCH_CPU_LOCK_H

#include <stdbool.h>
#include <stdint.h>

#include <arch/cpu/insn.h>
#include <arch/cpu/self.h>

struct lock { volatile uint32_t owner; };       /* the processor's number + 1 */

static inline void lock_take(struct lock *lock)
{
	uint32_t nobody = 0;

	while (!__atomic_compare_exchange_n(&lock->owner, &nobody, smp_self() + 1, false,
	                                    __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
		nobody = 0;
		cpu_pause();
	}
}

/* Returns true if this processor holds the lock. */
static inline bool lock_is_mine(const struct lock *lock)
{
	return lock->owner == smp_self() + 1;
}

static inline void lock_release(struct lock *lock)
{
	__atomic_store_n(&lock->owner, 0, __ATOMIC_RELEASE);
}

#endif

/* SPDX-License-Identifier: MIT */
/* A lock that a processor spins for; SHARED, and zero is free. Not for interrupt handlers. */
#ifndef ARCH_LOCK_H
#define ARCH_LOCK_H

#include <stdint.h>

#include <arch/insn.h>

struct lock { volatile uint32_t is_taken; };

static inline void lock_take(struct lock *lock)
{
	while (__atomic_exchange_n(&lock->is_taken, 1, __ATOMIC_ACQUIRE))
		cpu_pause();
}

static inline void lock_release(struct lock *lock)
{
	__atomic_store_n(&lock->is_taken, 0, __ATOMIC_RELEASE);
}

#endif

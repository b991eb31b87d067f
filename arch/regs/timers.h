/* SPDX-License-Identifier: MIT */
/* Defines the clocks of a PC, except the 8254 (apic.h) and the local APIC's timer. */
#ifndef ARCH_REGS_TIMERS_H
#define ARCH_REGS_TIMERS_H

#include <arch/regs/bits.h>

/* ACPI Specification 6.4, "Power Management Timer": a counter of 24 or 32 bits. */
#define PM_TIMER_HZ               3579545u

/* IA-PC HPET Specification 1.0a, "Memory Map", "Register Definitions": offsets in bytes. */
#define HPET_GCAP_ID              0x000
#define   HPET_LEG_RT_CAP           BIT32(15)   /* timer 0 can take the place of IRQ 0 */
#define HPET_COUNTER_CLK_PERIOD   0x004         /* in femtoseconds */
#define   HPET_PERIOD_LEAST         1000000u    /* 1 GHz; the specification has no least value */
#define   HPET_PERIOD_MOST          100000000u
#define HPET_GEN_CONF             0x010
#define   HPET_ENABLE_CNF           BIT32(0)
#define   HPET_LEG_RT_CNF           BIT32(1)
#define HPET_MAIN_CNT             0x0f0
#define HPET_TIM0_CONF            0x100
#define   HPET_Tn_INT_TYPE_CNF      BIT32(1)    /* 0: edge */
#define   HPET_Tn_INT_ENB_CNF       BIT32(2)
#define   HPET_Tn_TYPE_CNF          BIT32(3)    /* 1: periodic */
#define   HPET_Tn_32MODE_CNF        BIT32(8)
#define   HPET_Tn_FSB_EN_CNF        BIT32(14)
#define HPET_TIM0_COMP            0x108

/* Motorola MC146818, "Address Map"; bit 7 of the index port masks the PC's NMI. */
#define RTC_INDEX                 0x70
#define RTC_DATA                  0x71
#define   RTC_SECONDS               0x00

/* Hypervisors. Hyper-V TLFS, "Partition Reference TSC", "Frequency MSRs". */
#define HV_X64_MSR_TSC_FREQUENCY  0x40000022    /* in Hz */
/* Linux, Documentation/virt/kvm/x86/msr.rst. */
#define MSR_KVM_SYSTEM_TIME       0x12
#define MSR_KVM_SYSTEM_TIME_NEW   0x4b564d01
#define   MSR_KVM_SYSTEM_TIME_ENABLE  BIT32(0)

#endif

/* SPDX-License-Identifier: MIT */
/* Defines the registers of AMD's branch records. amd.h has the pair of K7 and later. */
#ifndef ARCH_REGS_AMD_BRANCHES_H
#define ARCH_REGS_AMD_BRANCHES_H

#include <arch/regs/bits.h>

/*
 * Branch records beyond the pair. Zen 3 (CPUID.80000008H:EBX[31]) has BRS, as Linux calls it: the
 * branches that follow an overflow. Zen 4 (CPUID.80000022H:EAX[1]) has a stack, entry 0 of which is
 * the newest. Both use the same addresses.
 */
#define AMD_BRANCHES                      16
#define AMD_LBR_SELECT                    0xc000010eu  /* 1: not recorded */
#define   LBR_SELECT_BITS                   FIELD(8, 0)
#define DbgExtnCfg                        0xc000010fu
#define   DbgExtnCfg_LBRSE                  BIT(6)     /* Zen 4: the other bits must be 0 */
#define   BRS_CFG_EN                        BIT(2)     /* Zen 3 */
#define   BRS_CFG_ONES                      FIELD(4, 3)    /* must be 11b */
#define   BRS_CFG_VALID                     BIT(5)     /* there are branches */
#define   BRS_CFG_NEXT                      FIELD(19, 16)  /* the next entry to be filled */
#define   BRS_CFG_PMC                       FIELD(26, 24)  /* the counter that starts it */
#define LastBranchStackFromIp(x)          (0xc0010300u + 2 * (x))
#define LastBranchStackToIp(x)            (0xc0010301u + 2 * (x))
#define   LBR_STACK_ADDRESS                 FIELD(56, 0)
#define   LastBranchStackFromIp_MISP        BIT(63)
#define   LastBranchStackToIp_V             BIT(63)
#define   LastBranchStackToIp_SPEC          BIT(62)
#define   LastBranchStackToIp_JUNK          BIT(61)    /* erratum 1452: no branch */

#endif

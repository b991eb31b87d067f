/* SPDX-License-Identifier: MIT */
/*
 * Defines the registers of AMD's instruction-based sampling (IBS), from family 10H to Zen 5.
 * Sources: APM 2, "Instruction-Based Sampling"; BIOS and Kernel Developer's Guides of families 10H
 * to 16H, "IBS"; Linux, asm/amd/ibs.h, for the bits that came later. A comment such as "12h" names
 * the family that a field came with.
 */
#ifndef ARCH_REGS_AMD_IBS_H
#define ARCH_REGS_AMD_IBS_H

#include <arch/regs/bits.h>

/* ------------------------------------------------------------------------------------- fetch */

#define IbsFetchCtl                       0xc0011030u
#define   IbsFetchCtl_MaxCnt                FIELD(15, 0)   /* in units of 16 fetches */
#define   IbsFetchCtl_Cnt                   FIELD(31, 16)  /* bits 19:4 of the counter */
#define   IbsFetchCtl_Lat                   FIELD(47, 32)  /* in clocks */
#define   IbsFetchCtl_En                    BIT(48)
#define   IbsFetchCtl_Val                   BIT(49)
#define   IbsFetchCtl_Comp                  BIT(50)
#define   IbsFetchCtl_IcMiss                BIT(51)
#define   IbsFetchCtl_PhyAddrValid          BIT(52)
#define   IbsFetchCtl_L1TlbPgSz             FIELD(54, 53)  /* with PhyAddrValid: IBS_PAGE_* */
#define   IbsFetchCtl_L1TlbMiss             BIT(55)
#define   IbsFetchCtl_L2TlbMiss             BIT(56)        /* not on every family */
#define   IbsFetchCtl_RandEn                BIT(57)
#define   IbsFetchCtl_L2Miss                BIT(58)        /* not on every family */
#define   IbsFetchCtl_L3MissOnly            BIT(59)        /* Zen 4 */
#define   IbsFetchCtl_OcMiss                BIT(60)        /* Zen 4 */
#define   IbsFetchCtl_L3Miss                BIT(61)        /* Zen 4 */
#define   IbsFetchCtl_Reserved              FIELD(63, 62)
#define IbsFetchCtl_FIELDS(op) ( \
	IbsFetchCtl_MaxCnt op IbsFetchCtl_Cnt op IbsFetchCtl_Lat op IbsFetchCtl_En op \
	IbsFetchCtl_Val op IbsFetchCtl_Comp op IbsFetchCtl_IcMiss op IbsFetchCtl_PhyAddrValid op \
	IbsFetchCtl_L1TlbPgSz op IbsFetchCtl_L1TlbMiss op IbsFetchCtl_L2TlbMiss op \
	IbsFetchCtl_RandEn op IbsFetchCtl_L2Miss op IbsFetchCtl_L3MissOnly op \
	IbsFetchCtl_OcMiss op IbsFetchCtl_L3Miss op IbsFetchCtl_Reserved)
_Static_assert(COVERS_ALL_ONCE(IbsFetchCtl_FIELDS), "IbsFetchCtl: gap or overlap");
#define IbsFetchLinAd                     0xc0011031u
#define IbsFetchPhysAd                    0xc0011032u

#define   IBS_PAGE_4K                       0
#define   IBS_PAGE_2M                       1
#define   IBS_PAGE_1G                       2

/* ---------------------------------------------------------------------------------------- op */

#define IbsOpCtl                          0xc0011033u
#define   IbsOpCtl_MaxCnt                   FIELD(15, 0)   /* bits 19:4 of it */
#define   IbsOpCtl_L3MissOnly               BIT(16)        /* Zen 4 */
#define   IbsOpCtl_En                       BIT(17)
#define   IbsOpCtl_Val                      BIT(18)
#define   IbsOpCtl_CntCtl                   BIT(19)        /* 1: dispatched ops, 0: clocks */
#define   IbsOpCtl_MaxCntHigh               FIELD(26, 20)  /* 12h: bits 26:20 of it */
#define   IbsOpCtl_Reserved                 FIELD(31, 27)
#define   IbsOpCtl_CurCnt                   FIELD(58, 32)  /* 10h: 51:32 */
#define   IbsOpCtl_LatThreshold             FIELD(62, 59)  /* Zen 5: 128 (n + 1) clocks */
#define   IbsOpCtl_LatFilterEn              BIT(63)        /* Zen 5 */
#define IbsOpCtl_FIELDS(op) ( \
	IbsOpCtl_MaxCnt op IbsOpCtl_L3MissOnly op IbsOpCtl_En op IbsOpCtl_Val op \
	IbsOpCtl_CntCtl op IbsOpCtl_MaxCntHigh op IbsOpCtl_Reserved op IbsOpCtl_CurCnt op \
	IbsOpCtl_LatThreshold op IbsOpCtl_LatFilterEn)
_Static_assert(COVERS_ALL_ONCE(IbsOpCtl_FIELDS), "IbsOpCtl: gap or overlap");
#define IbsOpRip                          0xc0011034u
#define IbsOpData                         0xc0011035u
#define   IbsOpData_CompToRetCtr            FIELD(15, 0)   /* in clocks */
#define   IbsOpData_TagToRetCtr             FIELD(31, 16)  /* in clocks */
#define   IbsOpData_OpBrnResync             BIT(32)        /* up to early 15h */
#define   IbsOpData_OpMispReturn            BIT(33)        /* up to early 15h */
#define   IbsOpData_OpReturn                BIT(34)
#define   IbsOpData_OpBrnTaken              BIT(35)
#define   IbsOpData_OpBrnMisp               BIT(36)
#define   IbsOpData_OpBrnRet                BIT(37)
#define   IbsOpData_RipInvalid              BIT(38)        /* 12h */
#define   IbsOpData_OpBrnFuse               BIT(39)        /* 15h */
#define   IbsOpData_OpMicrocode             BIT(40)        /* 15h */
#define   IbsOpData_Reserved                FIELD(63, 41)
#define IbsOpData_FIELDS(op) ( \
	IbsOpData_CompToRetCtr op IbsOpData_TagToRetCtr op IbsOpData_OpBrnResync op \
	IbsOpData_OpMispReturn op IbsOpData_OpReturn op IbsOpData_OpBrnTaken op \
	IbsOpData_OpBrnMisp op IbsOpData_OpBrnRet op IbsOpData_RipInvalid op \
	IbsOpData_OpBrnFuse op IbsOpData_OpMicrocode op IbsOpData_Reserved)
_Static_assert(COVERS_ALL_ONCE(IbsOpData_FIELDS), "IbsOpData: gap or overlap");
#define IbsOpData2                        0xc0011036u      /* by family: the data's source */
#define IbsOpData3                        0xc0011037u
#define   IbsOpData3_LdOp                   BIT(0)
#define   IbsOpData3_StOp                   BIT(1)
#define   IbsOpData3_DcL1TlbMiss            BIT(2)
#define   IbsOpData3_DcL2TlbMiss            BIT(3)
#define   IbsOpData3_DcL1TlbHit2M           BIT(4)
#define   IbsOpData3_DcL1TlbHit1G           BIT(5)
#define   IbsOpData3_DcL2TlbHit2M           BIT(6)
#define   IbsOpData3_DcMiss                 BIT(7)
#define   IbsOpData3_DcMisAcc               BIT(8)
#define   IbsOpData3_Bank                   FIELD(12, 9)   /* 10h: conflicts, forwarding */
#define   IbsOpData3_DcWcMemAcc             BIT(13)
#define   IbsOpData3_DcUcMemAcc             BIT(14)
#define   IbsOpData3_DcLockedOp             BIT(15)
#define   IbsOpData3_MabAlloc               BIT(16)        /* by family */
#define   IbsOpData3_DcLinAddrValid         BIT(17)
#define   IbsOpData3_DcPhyAddrValid         BIT(18)
#define   IbsOpData3_DcL2TlbHit1G           BIT(19)
#define   IbsOpData3_L2Miss                 BIT(20)
#define   IbsOpData3_SwPf                   BIT(21)
#define   IbsOpData3_OpMemWidth             FIELD(25, 22)  /* 1: 1 byte, 2: 2, 3: 4, 4: 8, ... */
#define   IbsOpData3_OpDcMissOpenMemReqs    FIELD(31, 26)
#define   IbsOpData3_DcMissLat              FIELD(47, 32)  /* in clocks */
#define   IbsOpData3_TlbRefillLat           FIELD(63, 48)  /* in clocks */
#define IbsOpData3_FIELDS(op) ( \
	IbsOpData3_LdOp op IbsOpData3_StOp op IbsOpData3_DcL1TlbMiss op IbsOpData3_DcL2TlbMiss op \
	IbsOpData3_DcL1TlbHit2M op IbsOpData3_DcL1TlbHit1G op IbsOpData3_DcL2TlbHit2M op \
	IbsOpData3_DcMiss op IbsOpData3_DcMisAcc op IbsOpData3_Bank op IbsOpData3_DcWcMemAcc op \
	IbsOpData3_DcUcMemAcc op IbsOpData3_DcLockedOp op IbsOpData3_MabAlloc op \
	IbsOpData3_DcLinAddrValid op IbsOpData3_DcPhyAddrValid op IbsOpData3_DcL2TlbHit1G op \
	IbsOpData3_L2Miss op IbsOpData3_SwPf op IbsOpData3_OpMemWidth op \
	IbsOpData3_OpDcMissOpenMemReqs op IbsOpData3_DcMissLat op IbsOpData3_TlbRefillLat)
_Static_assert(COVERS_ALL_ONCE(IbsOpData3_FIELDS), "IbsOpData3: gap or overlap");
#define IbsDcLinAd                        0xc0011038u
#define IbsDcPhysAd                       0xc0011039u
#define IbsBrTarget                       0xc001103bu      /* CPUID.8000001BH:EAX[5] */

/* ------------------------------------------------------------------------------------- others */

#define IbsControl                        0xc001103au      /* read-only */
#define   IbsControl_LvtOffset              FIELD(3, 0)
#define   IbsControl_LvtOffsetVal           BIT(8)
#define IbsFetchCtlExtd                   0xc001103cu      /* CPUID.8000001BH:EAX[9] */
#define IbsOpData4                        0xc001103du      /* CPUID.8000001BH:EAX[10] */

/* The local APIC's extended LVT; CPUID.80000001H:ECX[3]. Its entries have the fields of LVT. */
#define APIC_EXTENDED_FEATURE             0x400
#define   APIC_EXTENDED_FEATURE_LVTS        FIELD(23, 16)
#define APIC_EILVT(n)                     (0x500u + 0x10u * (n))
#define APIC_EILVTS                       4

/* CPUID.80000001H:ECX[10] says that there is IBS; if EAX[0] of this leaf is 0, it has no more than
 * FetchSam and OpSam. */
#define CPUID_AMD_IBS                     UINT32_C(0x8000001b)
#define   CPUID_AMD_IBS_EAX_FFV             BIT32(0)
#define   CPUID_AMD_IBS_EAX_FetchSam        BIT32(1)
#define   CPUID_AMD_IBS_EAX_OpSam           BIT32(2)
#define   CPUID_AMD_IBS_EAX_RdWrOpCnt       BIT32(3)
#define   CPUID_AMD_IBS_EAX_OpCnt           BIT32(4)   /* IbsOpCtl_CntCtl */
#define   CPUID_AMD_IBS_EAX_BrnTrgt         BIT32(5)
#define   CPUID_AMD_IBS_EAX_OpCntExt        BIT32(6)   /* 27 bits */
#define   CPUID_AMD_IBS_EAX_RipInvalidChk   BIT32(7)
#define   CPUID_AMD_IBS_EAX_OpBrnFuse       BIT32(8)
#define   CPUID_AMD_IBS_EAX_FetchCtlExtd    BIT32(9)
#define   CPUID_AMD_IBS_EAX_OpData4         BIT32(10)
#define   CPUID_AMD_IBS_EAX_L3MissFilter    BIT32(11)  /* Zen4IbsExtensions */
#define   CPUID_AMD_IBS_EAX_LoadLatFilter   BIT32(12)

#endif

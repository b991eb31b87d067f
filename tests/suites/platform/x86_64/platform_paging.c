/* SPDX-License-Identifier: MIT */
/* Addresses of 64 bits: those mapped above 4 GB, those not mapped, and those
 * that are not canonical. */
#include <arch/modes/paging.h>
#include <arch/regs/table.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/raise.h>

#define OFFSET     0x123
#define MOV_AL_RSI CODE(0x8a, 0x06)

/* One address in each part of the address space that uses another table of some level. */
static const uint64_t places[] = {
	UINT64_C(0x100000000),         /* the first page above 4 GB */
	UINT64_C(0x765432101000),
	UINT64_C(0x7ffffffff000),      /* the last one of the lower half */
	UINT64_C(0xffff800000000000),  /* the first one of the upper half */
	UINT64_C(0xfffffffffffff000),
};

static uint8_t page[PAGE_SIZE] __attribute__((aligned(4096)));

static void read_at(struct test_ctx *t, const char *what, uint64_t linear)
{
	static const uint8_t mov_al_rsi[] = { 0x8a, 0x06 };
	const struct mode_regs in = { .si = linear };

	FOR_EACH_MODE(mode) {
		struct mode_result r;

		if (mode_bits(mode) != 64)
			continue;
		r = mode_run(mode, mov_al_rsi, sizeof(mov_al_rsi), &in);
		test_sub(t, "%s at %lX000H, %s", what, (unsigned long)(linear >> 12),
		         mode_name(mode));
		expect_no_fault(t, "MOV AL, [RSI]", r.fault, "the page is present for every level");
		expect_exact(t, "AL", r.regs.ax & 0xff, page[OFFSET],
		             "it is the byte that was written");
	}
}

TEST(high, .id = "platform.paging.high", .needs = need_modes,
     .claim = "pages of 4 KB and 2 MB above 4 GB lead to the memory to which they are mapped",
     .source = "SDM 3A, \"4-Level Paging\", tables of paging-structure entries; "
               "APM 2, \"Long-Mode Page Translation\"")
{
	const uint32_t flags = PAGE_P | PAGE_RW | PAGE_US;
	const uint64_t size = UINT64_C(1) << 21;
	uint64_t physical = paging_physical(&page[OFFSET]);

	page[OFFSET] = 0x5a;
	for (size_t i = 0; i < COUNT_OF(places); i++) {
		uint64_t small = places[i], large = places[i] & ~(size - 1);

		expect_exact(t, "a 4 KB page is mapped",
		             paging_map_high(small, physical - OFFSET, flags), 1,
		             "nothing is mapped there yet");
		read_at(t, "4 KB page", small + OFFSET);
		paging_unmap_high();
		expect_exact(t, "a 2 MB page is mapped",
		             paging_map_high(large, physical & ~(size - 1), flags | PAGE_PS), 1,
		             "nothing is mapped there any more");
		read_at(t, "2 MB page", large + (physical & (size - 1)));
		paging_unmap_high();
	}
}

static const struct raise not_mapped[] = {
	{ "MOV AL, [RSI] above 4 GB", IN_64 & ~IN_CPL3, MOV_AL_RSI,
	  .in = { .si = 0x123456789 }, .cr2 = 0x123456789 },
	{ "MOV AL, [RSI] above 4 GB", IN_64 & IN_CPL3, MOV_AL_RSI, .error = PF_US,
	  .in = { .si = 0x123456789 }, .cr2 = 0x123456789 },
	{ "MOV AL, [RSI] in the upper half", IN_64 & IN_CPL3, MOV_AL_RSI, .error = PF_US,
	  .in = { .si = 0xffffffff80000000 }, .cr2 = 0xffffffff80000000 },
};

TEST(absent, .id = "platform.paging.high.absent", .needs = need_modes,
     .claim = "#PF stores all 64 bits of the address in CR2",
     .source = "SDM 3A, \"Interrupt 14 - Page-Fault Exception (#PF)\"; "
               "APM 2, \"#PF - Page-Fault Exception\"")
{
	RAISE_ALL(t, not_mapped, X86_PF, "no entry of a table is present there", AT_FAULT);
}

/* With linear addresses of 48 bits, bits 63 to 47 must be equal. */
static const struct raise no_address[] = {
	{ "MOV AL, [RSI = 800000000000H]", IN_64, MOV_AL_RSI, .in = { .si = 0x800000000000 } },
	{ "MOV AL, [RSI = 8000000000000000H]", IN_64, MOV_AL_RSI,
	  .in = { .si = 0x8000000000000000 } },
};
static const struct raise no_stack_address[] = {
	{ "MOV AL, [RBP = 800000000000H]", IN_64, CODE(0x8a, 0x45, 0x00),
	  .in = { .bp = 0x800000000000 } },
};

TEST(canonical, .id = "platform.paging.canonical", .needs = need_modes,
     .claim = "an access to an address that is not canonical raises #GP(0)",
     .source = "SDM 1, \"Canonical Addressing\"; APM 2, \"Canonical Address Form\"")
{
	RAISE_ALL(t, no_address, X86_GP, "bits 63 to 47 differ", AT_FAULT);
}

TEST(canonical_stack, .id = "platform.paging.canonical.stack", .needs = need_modes,
     .claim = "an access with RBP as the base to an address that is not canonical raises #SS(0)",
     .source = "SDM 1, \"Canonical Addressing\"; SDM 3A, \"Interrupt 12 - Stack Fault\"; "
               "APM 2, \"Canonical Address Form\"")
{
	RAISE_ALL(t, no_stack_address, X86_SS, "bits 63 to 47 differ", AT_FAULT);
}

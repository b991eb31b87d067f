/* SPDX-License-Identifier: MIT */
/* LINK: arch/cpu/load.c */
/* Loads as NASM assembles them. */
#include <arch/cpu/load.h>

#include <arch/regs/table.h>
#include <tests/unit/unit.h>

static const struct { const char *text; bool is_64bit; unsigned base; int32_t displacement;
                      uint8_t code[8]; } loads[] = {
	{ "mov eax, [ebx]", false, 3, 0, { 0x8b, 0x03 } },
	{ "mov rax, [rbx]", true, 3, 0, { 0x48, 0x8b, 0x03 } },
	{ "mov edx, [esi + 4]", false, 6, 4, { 0x8b, 0x56, 0x04 } },
	{ "mov edx, [esi - 128]", false, 6, -128, { 0x8b, 0x56, 0x80 } },
	{ "mov ecx, [edi + 12345678h]", false, 7, 0x12345678,
	  { 0x8b, 0x8f, 0x78, 0x56, 0x34, 0x12 } },
	{ "mov ecx, [edi - 2]", false, 7, -2, { 0x8b, 0x8f, 0xfe, 0xff, 0xff, 0xff } },
	{ "mov eax, [ebp + 0]", false, 5, 0, { 0x8b, 0x45, 0x00 } },
	{ "mov eax, [esp]", false, 4, 0, { 0x8b, 0x04, 0x24 } },
	{ "mov eax, [esp + 16]", false, 4, 16, { 0x8b, 0x44, 0x24, 0x10 } },
	{ "mov rdx, [r12 + 8]", true, 12, 8, { 0x49, 0x8b, 0x54, 0x24, 0x08 } },
	{ "mov r9, [r15]", true, 15, 0, { 0x4d, 0x8b, 0x0f } },
	{ "mov eax, [rcx]", true, 1, 0, { 0x8b, 0x01 } },
};

UNIT_TEST(loads_by_one_register)
{
	for (size_t i = 0; i < COUNT_OF(loads); i++) {
		struct load load = { 99, 99 };

		check_true(loads[i].text, load_decode(loads[i].code, loads[i].is_64bit, &load));
		check_eq_u64(loads[i].text, load.base, loads[i].base);
		check_eq_u64(loads[i].text, (uint32_t)load.displacement,
		             (uint32_t)loads[i].displacement);
	}
}

static const struct { const char *text; bool is_64bit; uint8_t code[8]; } others[] = {
	{ "mov ebx, eax", false, { 0x8b, 0xd8 } },
	{ "mov [ebx], eax", false, { 0x89, 0x03 } },
	{ "dec ecx (in 64 bits REX.WB)", false, { 0x49, 0x8b, 0x03 } },
	{ "jnz", false, { 0x0f, 0x85, 0x03 } },
	{ "mov eax, [ebx + ecx * 4]", false, { 0x8b, 0x04, 0x8b } },
	{ "mov eax, [rax + r12]", true, { 0x42, 0x8b, 0x04, 0x20 } },
	{ "mov eax, [12345678h]", false, { 0x8b, 0x05, 0x78, 0x56, 0x34, 0x12 } },
	{ "mov eax, [abs 12345678h]", true, { 0x8b, 0x04, 0x25, 0x78, 0x56, 0x34, 0x12 } },
	{ "mov eax, [rip + 4]", true, { 0x8b, 0x05, 0x04, 0x00, 0x00, 0x00 } },
};

UNIT_TEST(everything_else_is_refused)
{
	for (size_t i = 0; i < COUNT_OF(others); i++) {
		struct load load;

		check_true(others[i].text, !load_decode(others[i].code, others[i].is_64bit, &load));
	}
}

UNIT_MAIN()

/* SPDX-License-Identifier: MIT */
/*
 * The debug store area: the model's accesses to the guest's memory and registers. Every page is
 * checked before a byte is moved, because nothing here may raise an exception, as Bochs' own
 * accesses do. Accessed and dirty bits stay as they are.
 */
#include "glue.h"
#include "memory/memory-bochs.h"

static const Bit64u ENTRY_WRITABLE = 1 << 1, ENTRY_IS_PAGE = 1 << 7;
static const Bit64u ENTRY_TABLE = BX_CONST64(0x000ffffffffff000);
static const Bit64u PAGE = 4096;

static BX_CPU_C *processor_of(void *context)
{
	return BX_CPU((unsigned)((struct Glue *)context - glues));
}

/* Returns whether CPL 0 may write to a page that is present. Source: SDM 3A, "Determination of
 * Access Rights". */
static bool is_writable(BX_CPU_C *c, bx_address linear)
{
	if (!c->cr0.get_PG() || !c->cr0.get_WP())
		return true;
	bool is_long = c->long_mode(), is_pae = c->cr4.get_PAE();
	unsigned bits = is_pae ? 9 : 10, size = is_pae ? 8 : 4;
	int level = !is_long ? 1 : c->cr4.get_LA57() ? 4 : 3;
	Bit64u table = c->cr3 & ENTRY_TABLE;
	if (is_pae && !is_long)
		table = c->PDPTR_CACHE.entry[linear >> 30 & 3] & ENTRY_TABLE;
	for (;; level--) {
		Bit64u index = linear >> (12 + bits * level) & ((1 << bits) - 1), entry = 0;

		BX_MEM(0)->readPhysicalPage(c, table + index * size, size, &entry);
		if (!(entry & ENTRY_WRITABLE))
			return false;
		if (level == 0 || (entry & ENTRY_IS_PAGE && (is_pae || c->cr4.get_PSE())))
			return true;
		table = entry & ENTRY_TABLE;
	}
}

/* Computes the physical address of a byte; returns false if an access would fault. */
static bool translate(BX_CPU_C *c, bx_address linear, bool is_write, bx_phy_address *physical)
{
	if (c->long_mode() ? !c->IsCanonical(linear) : linear >> 32 != 0)
		return false;
	return c->dbg_xlate_linear2phy(linear, physical) &&
	       (!is_write || is_writable(c, linear));
}

/* Returns how many bytes from here are on one page. */
static size_t part_of(bx_address linear, size_t size)
{
	size_t rest = (size_t)(PAGE - linear % PAGE);

	return size < rest ? size : rest;
}

static bool is_allowed(BX_CPU_C *c, bx_address linear, size_t size, bool is_write)
{
	bx_phy_address ignored;

	for (size_t part; size; size -= part, linear += part) {
		part = part_of(linear, size);
		if (!translate(c, linear, is_write, &ignored))
			return false;
	}
	return true;
}

bool read_memory(void *context, uint64_t linear, void *bytes, size_t size)
{
	BX_CPU_C *c = processor_of(context);
	Bit8u *to = (Bit8u *)bytes;
	bx_phy_address physical;

	if (!is_allowed(c, linear, size, false))
		return false;
	for (size_t part; size; size -= part, linear += part, to += part) {
		part = part_of(linear, size);
		translate(c, linear, false, &physical);
		BX_MEM(0)->readPhysicalPage(c, physical, (unsigned)part, to);
	}
	return true;
}

/* Bochs' cache of decoded instructions is notified of these writes. */
bool write_memory(void *context, uint64_t linear, const void *bytes, size_t size)
{
	BX_CPU_C *c = processor_of(context);
	Bit8u *from = (Bit8u *)bytes;
	bx_phy_address physical;

	if (!is_allowed(c, linear, size, true))
		return false;
	for (size_t part; size; size -= part, linear += part, from += part) {
		part = part_of(linear, size);
		translate(c, linear, true, &physical);
		BX_MEM(0)->writePhysicalPage(c, physical, (unsigned)part, from);
	}
	return true;
}

void read_registers(void *context, bool with_xmm, struct refpmu_registers *registers)
{
	BX_CPU_C *c = processor_of(context);

	if (glues[c->which_cpu()].is_active)
		set_tsc_right(c->which_cpu());
	registers->tsc = c->get_Virtual_TSC();   /* with the offset that RDTSC adds */
	registers->is_ia32e = c->long_mode();
	registers->flags = c->read_eflags();
	for (unsigned i = 0; i < 16; i++) {
		if (registers->is_ia32e)
			registers->general[i] = c->gen_reg[i].rrx;
		else
			registers->general[i] = i < 8 ? c->gen_reg[i].dword.erx : 0;
		for (unsigned half = 0; with_xmm && half < 2; half++)
			registers->xmm[i][half] = c->vmm[i].vmm64u(half);
	}
}

/*
 * Only INIT, RESET and NMI end the shutdown state. The instruction under way is over, as after HLT.
 * Bochs calls it a panic, as it does a triple fault: the user chooses what happens then.
 */
void shut_down(void *context)
{
	BX_CPU_C *c = processor_of(context);

	c->panic("a fault in the debug store area: the processor shuts down");
	if (c->activity_state == BX_CPU_C::BX_ACTIVITY_STATE_ACTIVE)
		c->enter_sleep_state(BX_CPU_C::BX_ACTIVITY_STATE_SHUTDOWN);
}

/* Bochs returns the mask of the bits that are the offset in the page. */
bool find_page(void *context, uint64_t linear, uint64_t *physical, unsigned *bits)
{
	bx_address offset = PAGE - 1;
	bx_phy_address address;

	if (!processor_of(context)->dbg_xlate_linear2phy(linear, &address, &offset))
		return false;
	*physical = address;
	*bits = (unsigned)__builtin_popcountll(offset);
	return true;
}

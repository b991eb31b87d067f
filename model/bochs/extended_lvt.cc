/* SPDX-License-Identifier: MIT */
/*
 * AMD's extended LVT, which Bochs' local APIC does not have: the linker gives its read() and
 * write() other names (link-flags), so that these entries are asked first. Source: APM 2, "Extended
 * Interrupts". Chosen: an entry has the bits that software may write of LVTPC; RESET masks it, INIT
 * leaves it alone. Not modelled: the entries in x2APIC mode.
 */
#include "glue.h"
#include "cpu/apic.h"
#include "extended_lvt.h"

static const Bit32u FEATURE = 0x400, LVTS_IN_FEATURE = 16, FIRST = 0x500, ENTRIES = 4;
static const Bit32u LVT_BITS = 0x107ff, LVT_MASK = 1 << 16;

static Bit32u entries[CPUS][ENTRIES];

Bit32u extended_lvt(unsigned cpu, unsigned entry)
{
	return entries[cpu][entry % ENTRIES];
}

void reset_extended_lvt(unsigned cpu)
{
	for (unsigned n = 0; n < ENTRIES; n++)
		entries[cpu][n] = LVT_MASK;
}

static bool has_entries(unsigned cpu)
{
	return glues[cpu].is_amd && BX_CPU(cpu)->is_cpu_extension_supported(BX_ISA_XAPIC_EXT);
}

/* Returns the entry at an address of this APIC, or NULL. */
static Bit32u *entry_at(const bx_local_apic_c *apic, bx_phy_address address)
{
	Bit32u offset = (address & 0xff0) - FIRST;
	unsigned cpu = 0;

	while (cpu + 1 < (unsigned)BX_SMP_PROCESSORS && BX_CPU(cpu)->lapic != apic)
		cpu++;
	if (!has_entries(cpu) || offset / 16 >= ENTRIES)
		return NULL;
	return &entries[cpu][offset / 16];
}

static void write_entry(Bit32u *entry, Bit32u value)
{
	*entry = value & LVT_BITS;
}

/* The names of bx_local_apic_c's functions, as compilers make them; the linker adds prefixes. */
#define READ  _ZN15bx_local_apic_c4readEmPvj
#define WRITE _ZN15bx_local_apic_c5writeEmPvj
#define PREFIXED_(prefix, name) prefix##name
#define PREFIXED(prefix, name)  PREFIXED_(prefix, name)

extern "C" {
void PREFIXED(__real_, READ)(bx_local_apic_c *apic, bx_phy_address address, void *data,
                             unsigned size);
void PREFIXED(__real_, WRITE)(bx_local_apic_c *apic, bx_phy_address address, void *data,
                              unsigned size);
void PREFIXED(__wrap_, READ)(bx_local_apic_c *apic, bx_phy_address address, void *data,
                             unsigned size);
void PREFIXED(__wrap_, WRITE)(bx_local_apic_c *apic, bx_phy_address address, void *data,
                              unsigned size);
}

void PREFIXED(__wrap_, READ)(bx_local_apic_c *apic, bx_phy_address address, void *data,
                             unsigned size)
{
	const Bit32u *entry = entry_at(apic, address);

	if (entry && size == sizeof(*entry)) {
		*(Bit32u *)data = *entry;
		return;
	}
	PREFIXED(__real_, READ)(apic, address, data, size);
	if ((address & 0xff0) == FEATURE && size == sizeof(*entry) && entry_at(apic, FIRST))
		*(Bit32u *)data |= ENTRIES << LVTS_IN_FEATURE;
}

void PREFIXED(__wrap_, WRITE)(bx_local_apic_c *apic, bx_phy_address address, void *data,
                              unsigned size)
{
	Bit32u *entry = entry_at(apic, address);

	if (entry && size == sizeof(*entry))
		write_entry(entry, *(const Bit32u *)data);
	else
		PREFIXED(__real_, WRITE)(apic, address, data, size);
}

/* SPDX-License-Identifier: MIT */
#include <kernel/machine/clock_places.h>

#include <arch/regs/acpi.h>
#include <kernel/lib/bytes.h>
#include <kernel/machine/acpi_walk.h>

static struct clock_places places;

static bool take_fadt(const struct table_reader *reader, const struct acpi_table *fadt)
{
	const uint8_t *extended = fadt->bytes + ACPI_FADT_X_PM_TMR_BLK;
	uint64_t port = 0;

	(void)reader;
	if (fadt->length >= ACPI_FADT_SIZE_1 && fadt->bytes[ACPI_FADT_PM_TMR_LEN] == 4)
		port = read_u32(fadt->bytes + ACPI_FADT_PM_TMR_BLK);
	if (!port && fadt->length >= ACPI_FADT_X_PM_TMR_BLK + ACPI_GAS_SIZE
	    && extended[ACPI_GAS_Address_Space_ID] == ACPI_GAS_IO)
		port = read_u64(extended + ACPI_GAS_Address);
	if (port <= UINT16_MAX)
		places.pm_timer = (uint16_t)port;
	return true;
}

static bool take_hpet(const struct table_reader *reader, const struct acpi_table *hpet)
{
	const uint8_t *base = hpet->bytes + ACPI_HPET_BASE_ADDRESS;

	(void)reader;
	if (hpet->length >= ACPI_HPET_SIZE && base[ACPI_GAS_Address_Space_ID] == ACPI_GAS_MEMORY
	    && read_u64(base + ACPI_GAS_Address) <= UINT32_MAX)
		places.hpet = read_u32(base + ACPI_GAS_Address);
	return true;
}

struct clock_places clock_places_find(const struct bootinfo *boot,
                                      const struct physical_memory *mem)
{
	struct processors unused = { .source = NULL };
	const struct table_reader reader = { &unused, boot, mem };

	places = (struct clock_places){ 0, 0 };
	acpi_use_table(&reader, ACPI_FADT_SIGNATURE, take_fadt);
	acpi_use_table(&reader, ACPI_HPET_SIGNATURE, take_hpet);
	return places;
}

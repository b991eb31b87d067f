/* SPDX-License-Identifier: MIT */
/* LINK: kernel/machine/acpi_walk.c */
/* LINK: kernel/machine/processors.c kernel/machine/madt.c kernel/machine/mp_table.c */
/* LINK: kernel/machine/processor_tables.c */
/* LINK: kernel/lib/format.c */
/*
 * Fuzzes processors_find(). The input is a byte of flags; the loader's RSDP, if the flags say so:
 * its size, 36 bytes; then memory: area, offset (2 bytes), size, bytes.
 */
#include <kernel/machine/processors.h>

#include <tests/unit/fuzz.h>
#include <tests/unit/kernel/machine/firmware_machine.h>

enum { IS_SUMMED = 1, HAS_LOADERS_RSDP = 2, IS_EFI = 4, IS_PAGE_0_ABSENT = 8 };

struct input {
	const uint8_t *bytes;
	size_t size;
};

static const uint8_t *take(struct input *in, size_t size)
{
	const uint8_t *bytes = in->bytes;

	if (size > in->size)
		return NULL;
	in->bytes += size;
	in->size -= size;
	return bytes;
}

static void sum(uint8_t *bytes, size_t size, size_t offset)
{
	uint8_t total = 0;

	for (size_t i = 0; i < size; i++)
		total = (uint8_t)(total + bytes[i]);
	bytes[offset] = (uint8_t)(bytes[offset] - total);
}

/* Corrects the checksum of the table at address, if one exists: a fuzzer never would. */
static void sum_table(uint64_t address)
{
	uint8_t *bytes = machine_bytes(address, 36);
	uint32_t length;

	if (!bytes)
		return;
	if (memcmp(bytes, "RSD PTR ", 8) == 0) {
		sum(bytes, 20, 8);
		sum(bytes, 36, 32);
	} else if (memcmp(bytes, "_MP_", 4) == 0) {
		sum(bytes, 16, 10);
	} else if (memcmp(bytes, "PCMP", 4) == 0) {
		length = (uint32_t)(bytes[4] | bytes[5] << 8);
		if (machine_bytes(address, length))
			sum(bytes, length, 7);
	} else {
		memcpy(&length, bytes + 4, sizeof(length));
		if (machine_bytes(address, length))
			sum(bytes, length, 9);
	}
}

static void fill_memory(struct input *in, bool is_summed)
{
	static const uint32_t areas[] = { 0x400, 0x9fc00, 0xe0000, 0xf0000, HIGH, HIGH + 0x1000 };
	uint32_t tables[16];
	unsigned count = 0;
	const uint8_t *head, *bytes;

	while (count < 16 && (head = take(in, 4)) && (bytes = take(in, head[3]))) {
		uint32_t address = areas[head[0] % 6] + (uint32_t)(head[1] | head[2] << 8);

		if (machine_bytes(address, head[3]))
			machine_put(address, bytes, head[3]);
		tables[count++] = address;
	}
	while (is_summed && count-- > 0)
		sum_table(tables[count]);
}

static void require_sound(void)
{
	bool is_none = strcmp(found.source, "none") == 0;

	REQUIRE(is_none || strcmp(found.source, "ACPI MADT") == 0
	        || strcmp(found.source, "MP table") == 0);
	REQUIRE(is_none == (found.count == 0));
	REQUIRE(!is_none || found.disabled == 0);
	REQUIRE(found.count <= PROCESSORS_MAX);
	REQUIRE(found.dropped == 0 || found.count == PROCESSORS_MAX);
	REQUIRE(memchr(found.problem, '\0', sizeof(found.problem)));
	for (unsigned i = 0; i < found.count; i++) {
		REQUIRE(found.apic_id[i] != UINT32_MAX);
		for (unsigned j = 0; j < i; j++)
			REQUIRE(found.apic_id[i] != found.apic_id[j]);
	}
	/* Two roots of at most 256 KB, two reads for each entry, and some more. */
	REQUIRE(machine.calls <= 2 * (2 * 0x40000 / 4) + 64);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = { data, size };
	const uint8_t *flags = take(&in, 1), *rsdp;

	if (!flags)
		return 0;
	machine_clear();
	machine.is_page_0_absent = (*flags & IS_PAGE_0_ABSENT) != 0;
	boot.is_efi = (*flags & IS_EFI) != 0;
	rsdp = *flags & HAS_LOADERS_RSDP ? take(&in, 1 + sizeof(boot.rsdp)) : NULL;
	if (rsdp) {
		boot.rsdp_size = rsdp[0] % (sizeof(boot.rsdp) + 1);
		memcpy(boot.rsdp, rsdp + 1, sizeof(boot.rsdp));
		if (*flags & IS_SUMMED) {
			sum(boot.rsdp, 20, 8);
			sum(boot.rsdp, 36, 32);
		}
	}
	fill_memory(&in, (*flags & IS_SUMMED) != 0);
	machine_find();
	require_sound();
	return 0;
}

/* SPDX-License-Identifier: MIT */
/* Implements what both protocols need to fill a struct bootinfo. */
#include <kernel/loader/boot_reader.h>

#include <stdarg.h>

#include <arch/regs/multiboot.h>
#include <kernel/lib/format.h>
#include <kernel/lib/string.h>

#define MEGABYTE UINT64_C(0x100000)

void bootinfo_report(struct bootinfo *b, const char *fmt, ...)
{
	va_list args;

	if (b->problem[0])
		return;
	va_start(args, fmt);
	format_vbuf(b->problem, sizeof(b->problem), fmt, args);
	va_end(args);
}

const uint8_t *boot_reader_at(const struct boot_reader *reader, uint64_t address, uint32_t size)
{
	const void *bytes = reader->mem->at(reader->mem, address, size);

	if (!bytes)
		bootinfo_report(reader->info, "boot information: no memory at %" PRIX64 "H",
		                address);
	return bytes;
}

/*
 * Copies byte by byte, because memory after the terminator may be unreadable. Returns true if the
 * copy was cut.
 */
static bool is_cut_copy(const struct boot_reader *reader, char *to, uint32_t size,
                        uint64_t address, uint32_t limit)
{
	for (uint32_t i = 0; i < limit; i++) {
		const uint8_t *c = boot_reader_at(reader, address + i, 1);

		if (!c || !*c)
			return false;
		if (i == size - 1)
			return true;
		to[i] = (char)*c;
	}
	bootinfo_report(reader->info, "boot information: a text of %" PRIu32 " bytes has no end",
	                limit);
	return false;
}

void boot_reader_take_cmdline(const struct boot_reader *reader, uint64_t address, uint32_t limit)
{
	struct bootinfo *b = reader->info;

	memset(b->cmdline, 0, sizeof(b->cmdline));
	b->cmdline_truncated = is_cut_copy(reader, b->cmdline, sizeof(b->cmdline), address, limit);
}

void boot_reader_take_loader(const struct boot_reader *reader, uint64_t address, uint32_t limit)
{
	struct bootinfo *b = reader->info;

	memset(b->loader, 0, sizeof(b->loader));
	is_cut_copy(reader, b->loader, sizeof(b->loader), address, limit);
}

void bootinfo_take_mem_upper(struct bootinfo *b, uint32_t kilobytes)
{
	b->has_memory = kilobytes > 0;
	b->memory_top = b->has_memory ? MEGABYTE + ((uint64_t)kilobytes << 10) : 0;
}

void bootinfo_take_range(struct bootinfo *b, const uint8_t *entry)
{
	struct memory_range *range = &b->range[b->range_count];

	if (b->range_count == BOOTINFO_RANGES_MAX) {
		b->ranges_truncated = true;
		return;
	}
	range->base = read_u64(entry + MULTIBOOT_MMAP_base_addr);
	range->length = read_u64(entry + MULTIBOOT_MMAP_length);
	range->type = read_u32(entry + MULTIBOOT_MMAP_type);
	b->range_count++;
}

static bool has_colour_outside(const struct framebuffer_info *f)
{
	return f->red_position + f->red_size > f->bpp
	    || f->green_position + f->green_size > f->bpp
	    || f->blue_position + f->blue_size > f->bpp;
}

/* Reports a framebuffer that cannot be used. */
static bool is_usable(struct bootinfo *b, const struct framebuffer_info *f)
{
	uint64_t line = (uint64_t)f->width * ((f->bpp + 7u) / 8u);

	if (f->type > MULTIBOOT_FRAMEBUFFER_TYPE_EGA_TEXT)
		bootinfo_report(b, "framebuffer: type is %u, expected 0, 1 or 2", f->type);
	else if (f->bpp < 8 || f->bpp > 32)
		bootinfo_report(b, "framebuffer: %u bits per pixel, expected 8 to 32", f->bpp);
	else if (f->width == 0 || f->height == 0)
		bootinfo_report(b, "framebuffer: its size is %" PRIu32 " x %" PRIu32, f->width,
		                f->height);
	else if (f->pitch < line)
		bootinfo_report(b, "framebuffer: pitch is %" PRIu32 " bytes, a line has %" PRIu64,
		                f->pitch, line);
	else if (has_colour_outside(f))
		bootinfo_report(b, "framebuffer: a colour is outside of the %u bits of a pixel",
		                f->bpp);
	else
		return true;
	return false;
}

void bootinfo_take_framebuffer(struct bootinfo *b, const uint8_t *framebuffer,
                               const uint8_t *colours)
{
	struct framebuffer_info f = {
		.address = read_u64(framebuffer + MULTIBOOT_FRAMEBUFFER_addr),
		.pitch = read_u32(framebuffer + MULTIBOOT_FRAMEBUFFER_pitch),
		.width = read_u32(framebuffer + MULTIBOOT_FRAMEBUFFER_width),
		.height = read_u32(framebuffer + MULTIBOOT_FRAMEBUFFER_height),
		.bpp = framebuffer[MULTIBOOT_FRAMEBUFFER_bpp],
		.type = framebuffer[MULTIBOOT_FRAMEBUFFER_type],
	};

	if (f.type == MULTIBOOT_FRAMEBUFFER_TYPE_RGB) {
		if (!colours) {
			bootinfo_report(b, "framebuffer: type is 1, its colours are missing");
			return;
		}
		f.red_position = colours[0];
		f.red_size = colours[1];
		f.green_position = colours[2];
		f.green_size = colours[3];
		f.blue_position = colours[4];
		f.blue_size = colours[5];
	}
	b->has_framebuffer = is_usable(b, &f);
	if (b->has_framebuffer)
		b->framebuffer = f;
}

void boot_reader_take_rsdp(const struct boot_reader *reader, uint64_t address)
{
	const uint8_t *rsdp = boot_reader_at(reader, address, BOOTINFO_RSDP_SIZE);

	if (!rsdp)
		return;
	memcpy(reader->info->rsdp, rsdp, BOOTINFO_RSDP_SIZE);
	reader->info->rsdp_size = BOOTINFO_RSDP_SIZE;
}

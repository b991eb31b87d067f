/* SPDX-License-Identifier: MIT */
#include <pmu/events/packed_events.h>

#include <stdbool.h>

#include <kernel/lib/string.h>
#include <pmu/events/event_text.h>

const struct packed_head *packed_row(const struct packed_table *table, unsigned i)
{
	return i < table->count ? (const void *)((const char *)table->rows + i * table->size)
	                        : NULL;
}

const struct packed_head *packed_at(const struct packed_table *table, unsigned n, uint32_t here)
{
	const struct packed_head *row;

	for (unsigned i = 0; (row = packed_row(table, i)) != NULL; i++)
		if ((row->on & here) && n-- == 0)
			return row;
	return NULL;
}

unsigned packed_count(const struct packed_table *table, uint32_t here)
{
	unsigned count = 0;

	for (unsigned i = 0; i < table->count; i++)
		count += (packed_row(table, i)->on & here) != 0;
	return count;
}

static bool is_named(const struct packed_table *table, const struct packed_head *row,
                     const char *name)
{
	return event_text_is_same(table->texts + row->name, name);
}

/* Returns whether the name is the row's two texts with a dot between them. */
static bool is_joined(const struct packed_table *table, const struct packed_head *row,
                      const char *name)
{
	const char *first = table->texts + row->name, *second = table->texts + row->more;
	size_t length = strlen(first);

	if (!event_text_begins(name, first))
		return false;
	if (!*second)
		return !name[length];
	return name[length] == '.' && event_text_is_same(second, name + length + 1);
}

static const struct packed_head *find(const struct packed_table *table, const char *name,
                                      uint32_t here,
                                      bool (*is_it)(const struct packed_table *table,
                                                    const struct packed_head *row,
                                                    const char *name))
{
	const struct packed_head *row, *other = NULL;

	for (unsigned i = 0; (row = packed_row(table, i)) != NULL; i++) {
		if (!is_it(table, row, name))
			continue;
		if (row->on & here)
			return row;
		other = other ? other : row;
	}
	return other;
}

const struct packed_head *packed_find(const struct packed_table *table, const char *name,
                                      uint32_t here)
{
	return find(table, name, here, is_named);
}

const struct packed_head *packed_find_joined(const struct packed_table *table, const char *name,
                                             uint32_t here)
{
	return find(table, name, here, is_joined);
}

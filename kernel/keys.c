/* SPDX-License-Identifier: MIT */
#include <kernel/keys.h>

#include <arch/insn.h>
#include <arch/self.h>

static SHARED struct key_source sources[KEY_SOURCES_MAX];
static SHARED unsigned source_count;

void keys_add_source(const struct key_source *source)
{
	if (source_count < KEY_SOURCES_MAX)
		sources[source_count++] = *source;
}

int keys_get(void)
{
	for (unsigned i = 0; i < source_count; i++) {
		int key = sources[i].get(sources[i].ctx);

		if (key != KEY_NONE)
			return key;
	}
	return KEY_NONE;
}

int keys_wait(void)
{
	int key;

	while ((key = keys_get()) == KEY_NONE)
		cpu_pause();
	return key;
}

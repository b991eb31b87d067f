/* SPDX-License-Identifier: MIT */
/* Looking quirks up and applying them. */
#include <model/defects/quirks.h>

#include <model/defects/quirk_table.h>

static const struct model_quirk *const tables[] = {
	model_quirks_presence, model_quirks_registers, model_quirks_counting,
	model_quirks_overflow, model_quirks_machine,
	model_quirks_legacy, model_quirks_netburst, model_quirks_netburst_overflow,
	model_quirks_netburst_events, model_quirks_netburst_pebs,
	model_quirks_pebs, model_quirks_branches, model_quirks_presets,
};

static bool is_equal(const char *a, const char *b)
{
	while (*a && *a == *b) {
		a++;
		b++;
	}
	return *a == *b;
}

const struct model_quirk *model_quirk_at(unsigned i)
{
	for (unsigned t = 0; t < sizeof(tables) / sizeof(tables[0]); t++)
		for (const struct model_quirk *quirk = tables[t]; quirk->name; quirk++)
			if (i-- == 0)
				return quirk;
	return NULL;
}

const struct model_quirk *model_quirk_find(const char *name)
{
	const struct model_quirk *quirk;
	unsigned i = 0;

	do
		quirk = model_quirk_at(i++);
	while (quirk && !is_equal(quirk->name, name));
	return quirk;
}

/* Byte by byte, as the fields differ in size: right on little-endian hosts only. */
void model_quirk_apply(const struct model_quirk *quirk, struct model_rules *rules)
{
	for (unsigned i = 0; i < MODEL_CHANGES_MAX; i++) {
		const struct model_change *change = &quirk->change[i];
		unsigned char *field = (unsigned char *)rules + change->offset;

		for (size_t byte = 0; byte < change->size; byte++)
			field[byte] = (unsigned char)(change->value >> (8 * byte));
	}
}

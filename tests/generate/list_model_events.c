/* SPDX-License-Identifier: MIT */
/*
 * This host program prints the model's events by rows: first the keys, then a
 * line for each, with tabs between the cells. escr is the MSR of the first ESCR; NetBurst's rows
 * have a line for each of their masks.
 */
#include <stdio.h>

#include <arch/regs/table.h>
#include <model/amd/amd_shared.h>
#include <model/arch/arch.h>
#include <model/netburst/netburst_shared.h>
#include <model/state/event_rows.h>

/* The models of family 0FH that the reference PMU can be. */
#define NETBURST_MODELS  0x5eu

#define P6  (MODEL_PPRO | MODEL_PII | MODEL_PIII | MODEL_PM)
#define P5  (MODEL_P54C | MODEL_P55C)

static void print_table(const char *family, unsigned models)
{
	for (const struct model_event *e = model_events; e->counters; e++) {
		if (!(e->models & models))
			continue;
		printf("%s\t%02X\t%02X\t%02X\t%u\t%s%s%s%s%s%s\t\t%u\n", family, e->select,
		       e->umask_bits, e->umask, e->counters, e->models & MODEL_PPRO ? "PPro," : "",
		       e->models & MODEL_PII ? "PII," : "", e->models & MODEL_PIII ? "PIII," : "",
		       e->models & MODEL_PM ? "PM," : "", e->models & MODEL_P54C ? "P54C," : "",
		       e->models & MODEL_P55C ? "P55C," : "", e->kind != EVENT_NOT_MODELLED);
	}
}

static void print_netburst(const struct netburst_row *r, unsigned bits, bool is_counted)
{
	printf("netburst\t%02X\t%04X\t%04X\t%u\t", r->select, bits, bits, UINT32_MAX);
	for (unsigned i = 0; i < 8; i++)
		if (NETBURST_MODELS >> i & 1 && (!r->models || r->models >> i & 1))
			printf("%u,", i);
	printf("\t%03X\t%u\n", r->escr[0], is_counted);
}

static void print_netburst_table(void)
{
	for (const struct netburst_row *r = netburst_rows; r->escr[0]; r++) {
		for (unsigned i = 0; i < NETBURST_TERMS_MAX && r->term[i].bits; i++)
			print_netburst(r, r->term[i].bits, true);
		print_netburst(r, 0, r->kind != NETBURST_NOTHING && !r->term[0].bits);
	}
}

static const char *const amd[] = {
	"K7", "K8", "10H", "11H", "12H", "14H", "15H", "16H", "Zen", "Zen2", "Zen3", "Zen4", "Zen5"
};

/* The processors of intel_events.csv, in the order of enum MODEL_CORE2 and so on. */
static const char *const intel[] = {
	"Core2", "Bonnell", "Nehalem", "Westmere", "SandyBridge", "IvyBridge", "Haswell",
	"Broadwell", "Skylake,SkylakeX", "IceLake", "TigerLake", "SapphireRapids", "LionCove",
	"GoldenCove", "Gracemont", "Skymont"
};

/* A row that others add to counts nothing itself; they have its select and processors. */
static void print_rows(const char *family, const struct model_event *first,
                       const char *const *names, unsigned count)
{
	for (const struct model_event *e = first; e->counters; e++) {
		first = e->adds ? first : e;
		printf("%s\t%03X\t%02X\t%02X\t%u\t", family, first->select, e->umask_bits,
		       e->umask, first->counters);
		for (unsigned i = 0; i < count; i++)
			if (first->models >> i & 1)
				printf("%s,", names[i]);
		printf("\t\t%u\n", e->kind != EVENT_NOT_MODELLED && e->kind != EVENT_NOTHING);
	}
}

int main(void)
{
	puts("family\tselect\tumask_bits\tumask\tcounters\tmodels\tescr\tmodelled");
	print_table("p6", P6);
	print_table("p5", P5);
	print_netburst_table();
	print_rows("amd", model_events_amd, amd, COUNT_OF(amd));
	print_rows("intel", model_events_arch, intel, COUNT_OF(intel));
	return 0;
}

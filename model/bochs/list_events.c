/* SPDX-License-Identifier: MIT */
/* A host program: prints the model's events of P5 and P6, a line each, tabs between, after keys. */
#include <stdio.h>

#include <model/events.h>

static void print_table(const char *family, const struct model_event *table)
{
	for (const struct model_event *e = table; e->counters; e++)
		printf("%s\t%02X\t%02X\t%02X\t%u\t%s%s%s%s%s%s\t%u\n", family, e->select,
		       e->umask_bits, e->umask, e->counters, e->models & MODEL_PPRO ? "PPro," : "",
		       e->models & MODEL_PII ? "PII," : "", e->models & MODEL_PIII ? "PIII," : "",
		       e->models & MODEL_PM ? "PM," : "", e->models & MODEL_P54C ? "P54C," : "",
		       e->models & MODEL_P55C ? "P55C," : "", e->kind != EVENT_NOT_MODELLED);
}

int main(void)
{
	puts("family\tselect\tumask_bits\tumask\tcounters\tmodels\tmodelled");
	print_table("p6", model_events_p6);
	print_table("p5", model_events_p5);
	return 0;
}

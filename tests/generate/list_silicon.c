/* SPDX-License-Identifier: MIT */
/* This host program prints the rows of silicon_rows.h, one a line with tabs between the cells. */
#include <stdio.h>

#include <arch/regs/table.h>
#include <tests/suites/common/silicon/silicon_rows.h>

static const struct {
	const char *name;
	unsigned family;
	unsigned models[SILICON_MODELS_MAX];
	const char *source, *tests, *demanded, *effect;
} rows[] = {
#define ROW(name, family, models, source, tests, demanded, effect) \
	{ #name, family, { models }, source, tests, demanded, effect },
	SILICON_ROWS(ROW)
#undef ROW
};

int main(void)
{
	printf("name\tmodels\tsource\ttests\tdemanded\teffect\n");
	for (unsigned i = 0; i < COUNT_OF(rows); i++) {
		printf("%s\t", rows[i].name);
		for (unsigned j = 0; j == 0 || rows[i].models[j]; j++)
			printf("%s%02X_%02XH", j ? " " : "", rows[i].family, rows[i].models[j]);
		printf("\t%s\t%s\t%s\t%s\n", rows[i].source, rows[i].tests, rows[i].demanded,
		       rows[i].effect);
	}
	return 0;
}

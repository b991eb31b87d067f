/* SPDX-License-Identifier: MIT */
/* A host program: prints the quirks of the model, one a line, tabs between, after their keys. */
#include <stdio.h>

#include <model/defects/quirks.h>

static const char *text(const char *may_be_null)
{
	return may_be_null ? may_be_null : "";
}

int main(void)
{
	const struct model_quirk *q;

	puts("name\tid\tcpu\twords\ttest\twhat\tdefect\tsource");
	for (unsigned i = 0; (q = model_quirk_at(i)) != NULL; i++)
		printf("%s\t%s\t%s\t%s\t%s\t%s\t%s\t%s\n", q->name, text(q->id), text(q->cpu),
		       text(q->words), text(q->test), text(q->what), text(q->defect),
		       text(q->source));
	return 0;
}

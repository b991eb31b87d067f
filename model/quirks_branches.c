/* SPDX-License-Identifier: MIT */
/* Quirks of branch records: LBR and BTS. */
#include <model/quirk_table.h>

const struct model_quirk model_quirks_branches[] = {
	{ .name = NULL }
};

/* SPDX-License-Identifier: MIT */
/* Quirks of the debug store area and PEBS. */
#include <model/quirk_table.h>

const struct model_quirk model_quirks_pebs[] = {
	{ .name = NULL }
};

/* SPDX-License-Identifier: MIT */
/* Quirks of NetBurst's PEBS. */
#include <model/quirk_table.h>

const struct model_quirk model_quirks_netburst_pebs[] = {
	{ .name = NULL }
};

/* SPDX-License-Identifier: MIT */
/* The tables of processors; each ends with a row without a name. */
#ifndef MODEL_CORE_RULES_TABLE_H
#define MODEL_CORE_RULES_TABLE_H

#include <stddef.h>

#include <model/state/rules.h>

extern const struct model_rules model_rules_arch[];
extern const struct model_rules model_rules_legacy[];
extern const struct model_rules model_rules_netburst[];

/* SDM 3B, "Pre-defined Architectural Performance Events", Branch Instruction Retired: all. */
#define ALL_BRANCHES ((1u << MODEL_BRANCHES) - 1 - (1u << MODEL_NO_BRANCH))

#endif

/* SPDX-License-Identifier: MIT */
/* The tables of quirks, and how a row is written. Each table ends with a row without a name. */
#ifndef MODEL_DEFECTS_QUIRK_TABLE_H
#define MODEL_DEFECTS_QUIRK_TABLE_H

#include <stddef.h>

#include <model/defects/quirks.h>

extern const struct model_quirk model_quirks_presence[];
extern const struct model_quirk model_quirks_registers[];
extern const struct model_quirk model_quirks_counting[];
extern const struct model_quirk model_quirks_overflow[];
extern const struct model_quirk model_quirks_machine[];
extern const struct model_quirk model_quirks_legacy[];
extern const struct model_quirk model_quirks_netburst[];
extern const struct model_quirk model_quirks_netburst_overflow[];
extern const struct model_quirk model_quirks_netburst_events[];
extern const struct model_quirk model_quirks_netburst_pebs[];
extern const struct model_quirk model_quirks_pebs[];
extern const struct model_quirk model_quirks_branches[];
extern const struct model_quirk model_quirks_presets[];

/* The field of the rules, with which value. */
#define SET(field, new_value) \
	{ offsetof(struct model_rules, field), \
	  sizeof(((struct model_rules *)0)->field), (new_value) }

/* The events of one signal count another one. */
#define INSTEAD(from, to) \
	SET(signal_from, SIGNAL_##from), SET(signal_to, SIGNAL_##to)

/* Bochs' names of the processors. */
#define PENTIUM   "pentium"
#define PENTIUM_MMX "pentium_mmx"
#define KLAMATH   "p2_klamath"
#define KATMAI    "p3_katmai"
#define WILLAMETTE "p4_willamette"
#define PRESCOTT  "p4_prescott_celeron_336"
#define YONAH     "core_duo_t2400_yonah"
#define PENRYN    "core2_penryn_t9600"
#define LYNNFIELD "corei5_lynnfield_750"
#define HASWELL   "corei7_haswell_4770"
#define BROADWELL "broadwell_ult"
#define SKYLAKE_X "corei7_skylake_x"
#define ICE_LAKE  "corei7_icelake_u"
#define ARROW_LAKE "arrow_lake"

#endif

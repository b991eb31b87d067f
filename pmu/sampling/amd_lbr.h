/* SPDX-License-Identifier: MIT */
/*
 * Presents the branch records of AMD's processors that follow code as it runs: the pair of K7 and
 * later, the stack of Zen 4. Source: APM 2, "Control-Transfer Recording Using Last Branch Control
 * MSR", "Last Branch Record Stack". BRS of Zen 3 records after an overflow only: it has none here.
 */
#ifndef PMU_SAMPLING_AMD_LBR_H
#define PMU_SAMPLING_AMD_LBR_H

#include <stdbool.h>
#include <stdint.h>

struct amd_branch_kind {
	const char *name;
	unsigned depth;
	uint32_t from_msr, to_msr, step;       /* of entry 0, the newest; from one to the next */
	uint32_t control_msr;
	uint64_t enable;
	uint32_t select_msr;                   /* 0: no filter */
};

/* Returns the kind of this processor, or NULL: it is not AMD's. */
const struct amd_branch_kind *amd_branch_kind(void);

/* Holds addresses; both are 0 if there is no such entry. */
struct amd_branch { uint64_t from, to; bool is_mispredicted; };
struct amd_branch amd_branch_get(unsigned age);

/*
 * Runs code(rounds, argument) while recording, at CPL 3 alone if asked for and if there is a
 * filter. Returns false, and runs nothing, if the registers are not there.
 */
bool amd_branch_window(bool is_user, void (*code)(uint32_t rounds, uint32_t argument),
                       uint32_t rounds, uint32_t argument);

#endif

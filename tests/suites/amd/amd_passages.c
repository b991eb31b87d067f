/* SPDX-License-Identifier: MIT */
/*
 * Passages through levels of privilege, by event: passages.h. V. Weaver measured families 10H, 14H,
 * 15H, 16H and 17H: a fault, a SYSCALL and an interrupt add one at CPL 3; an interrupt two on 15H,
 * and two instructions on 16H.
 */
#include <tests/suites/common/amd/amd_suite.h>

#include <tests/suites/common/counts/passages.h>
#include <tests/suites/common/needs.h>

static struct passage_facts facts(void)
{
	const uint8_t each = amd_family() == AMD_15H ? 2 : 1;
	const uint8_t insns = amd_family() == 0x16 ? 2 : each;
	const struct passage_entry exception = {
		.low = { 1, 1, 1, 0, 1, 0 }, .high = { 1, 1, 1, 0, 1, 0 },
	}, interrupt = {
		.low = { insns, each, each, 0, each, 1 },
		.high = { insns, each, each, 0, each, 1 },
	};

	return (struct passage_facts){
		.events = { { PASSAGE_INSNS, "instructions", AMD_EVENT_INST_RETIRED },
		            { PASSAGE_BRANCHES, "branches", AMD_EVENT_BRANCHES },
		            { PASSAGE_TAKEN, "taken branches", AMD_EVENT_TAKEN },
		            { PASSAGE_FAR, "far transfers", AMD_EVENT_FAR },
		            { PASSAGE_INTERRUPTS, "interrupts taken",
		              amd_family() < AMD_17H ? 0xcf : 0x2c } },
		.count = 5, .call = AT_LEFT, .iret = AT_CPL0, .entry = AT_LEFT,
		.exception = exception, .interrupt = interrupt,
	};
}

PASSAGE_TESTS("amd", need_amd, facts, TEST_EVERYWHERE,
              AMD_APM "; V. Weaver, \"deterministic events\", static/results");

/* SPDX-License-Identifier: MIT */
/*
 * Raises an SMI while something counts or records. Intel's chipsets raise one when port B2H (APM
 * control) is written, if firmware has asked for that; firmware's own handler then runs.
 */
#ifndef TESTS_SUITES_SMM_SMI_H
#define TESTS_SUITES_SMM_SMI_H

#include <stdbool.h>
#include <stdint.h>

#include <kernel/run/test.h>

/* The second port is that of POST codes: code that writes 0 there does the same without an SMI. */
enum { SMI_PORT = 0xb2, SMI_NO_PORT = 0x80 };

/* Writes 0 to the port, and waits until an SMI must have come. The code to be measured. */
void smi_code(uint32_t unused, uint32_t port);

/* The instruction after the write: where RSM returns to if the SMI came at once. */
extern const uint8_t smi_resumed[];

/* Sets or clears FREEZE_WHILE_SMM, if there is such a bit. */
void smi_freeze(bool is_on);

/*
 * Returns true if an SMI adds to the count of instructions while nothing is frozen, without which
 * the tests of the freeze would prove nothing. Otherwise skips the test, or ends it as failed on a
 * machine that is exact.
 */
bool smi_is_counted(struct test_ctx *t);

#endif

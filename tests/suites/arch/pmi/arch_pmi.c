/* SPDX-License-Identifier: MIT */
/* The overflow's PMI on an architectural PMU; see pmi_claims.h. */
#include <tests/suites/common/pmi/pmi_claims.h>

#include <tests/suites/common/needs.h>

#define VERSION_1  "SDM 3B, \"Architectural Performance Monitoring Version 1\""
#define VERSION_2  "\"Architectural Performance Monitoring Version 2\""
#define OVERFLOW   VERSION_1 ": INT, \"APIC interrupt enable\""
#define STATUS     "SDM 3B, " VERSION_2 ", IA32_PERF_GLOBAL_STATUS"
#define INTERRUPT  "SDM 3B, \"Generating an Interrupt on Overflow\""
#define SKID       INTERRUPT ": the saved address may be of a later instruction"
#define LVT        "SDM 3A, \"Local Vector Table\""
#define HALT       "SDM 2A, \"HLT - Halt\": an enabled interrupt, an NMI, ... resumes execution"

#define CLAIM(name, suffix, needs_, source_, text) \
	PMI_CLAIM(name, "arch.pmi." suffix, needs_, source_, text)

static const char *need_fixed0_pmi(struct test_ctx *t)
{
	const char *reason = need_pmi(t);

	return reason ? reason : need_fixed0(t);
}

CLAIM(period_user, "period.user", need_pmi, OVERFLOW,
      "a counter preset to -N raises a PMI after N instructions at CPL 3, not after N - 1");
CLAIM(period_kernel, "period.kernel", need_pmi, OVERFLOW,
      "a counter preset to -N raises a PMI after N instructions at CPL 0, not after N - 1");
CLAIM(period_long, "period.long", need_pmi, OVERFLOW,
      "periods of thousands of instructions are exact as well");
CLAIM(every_counter, "every_counter", need_pmi, OVERFLOW "; " VERSION_2 ": PMI bits",
      "every general and every fixed counter raises a PMI when it overflows");
CLAIM(skid_user, "skid.user", need_pmi, SKID,
      "an overflow at CPL 3 interrupts at the instruction after it, or at a later one");
CLAIM(skid_kernel, "skid.kernel", need_pmi, SKID,
      "without skid, one more event before the overflow moves the PMI by one instruction at CPL 0");
CLAIM(reload_short, "reload.short", need_pmi, INTERRUPT,
      "without skid 1,000 short periods give 1,000 PMIs and lose no event");
CLAIM(reload_long, "reload.long", need_pmi, INTERRUPT,
      "1,000 periods of 1,500 instructions give 1,000 PMIs and lose no event");
CLAIM(reload_fixed, "reload.fixed", need_fixed0_pmi, INTERRUPT,
      "IA32_FIXED_CTR0 gives one PMI for each of 1,000 periods and loses no event");
CLAIM(reload_witness, "reload.witness", need_pmi_gp2, INTERRUPT,
      "1,000 PMIs of one counter change nothing in another that counts the same");
CLAIM(two_apart, "two.apart", need_pmi_gp2, STATUS,
      "two counters that overflow one after the other raise a PMI and set a status bit each");
CLAIM(two_together, "two.together", need_pmi_gp2, STATUS,
      "when one instruction overflows two counters, no status bit is lost");
CLAIM(many, "many", need_pmi_v2, STATUS,
      "when all counters overflow in one window, the handler sees every status bit");
CLAIM(nested, "nested", need_pmi_gp2, "SDM 3A, \"Handling Multiple NMIs\"",
      "an overflow inside the handler of an NMI PMI waits for the handler's IRET and is not lost");
CLAIM(without_int, "none_without_int", need_pmi, VERSION_1 ", INT flag",
      "an overflow with INT = 0 sets the status bit and raises no PMI");
CLAIM(masked, "masked", need_pmi, LVT ", mask",
      "a PMI that meets a masked LVTPC is lost: unmasking LVTPC later delivers nothing");
CLAIM(mask, "mask", need_pmi, LVT ": the mask flag of LVTPC is set when a PMI is handled",
      "a PMI sets LVTPC's mask bit; until software clears it, overflows raise no PMI");
CLAIM(as_nmi, "delivery.nmi", need_pmi, LVT ", delivery mode NMI",
      "a PMI delivered as an NMI has vector 2, whatever LVTPC's vector field says, "
      "even with IF = 0");
CLAIM(fixed_pending, "delivery.fixed_pending", need_pmi,
      "SDM 3A, \"Masking Maskable Hardware Interrupts\"; " LVT,
      "a PMI delivered as a fixed interrupt waits in the IRR while IF = 0; STI lets it in");
CLAIM(fixed, "delivery.fixed", need_pmi, LVT ", delivery mode fixed",
      "with IF = 1 a fixed PMI interrupts the counted code, at LVTPC's vector");
CLAIM(fixed_eoi, "delivery.fixed_eoi", need_pmi,
      "SDM 3A, \"Signaling Interrupt Servicing Completion\"",
      "a second fixed PMI waits for the EOI of the first");
CLAIM(halt_fixed, "halt.fixed", need_pmi, HALT,
      "a fixed PMI that is pending with IF = 0 ends the HLT after STI");
CLAIM(halt_nmi, "halt.nmi", need_pmi, HALT,
      "the NMI of a counter that the HLT itself overflows ends that HLT");

/* SPDX-License-Identifier: MIT */
/* The overflow's PMI on an architectural PMU; see pmi_claims.h. */
#include <tests/suites/common/pmi/pmi_claims.h>

#include <arch/cpu/fault.h>
#include <tests/suites/arch/arch_rules.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/pmi/pmi_windows.h>

#define VERSION_1  "SDM 3B, \"Architectural Performance Monitoring Version 1\""
#define VERSION_2  "\"Architectural Performance Monitoring Version 2\""
#define OVERFLOW   VERSION_1 ": INT, \"APIC interrupt enable\""
#define STATUS     "SDM 3B, " VERSION_2 ", IA32_PERF_GLOBAL_STATUS"
#define INTERRUPT  "SDM 3B, \"Generating an Interrupt on Overflow\""
#define SKID       INTERRUPT ": the saved address may be of a later instruction"

static NEED_BOTH(need_fixed0_pmi, need_pmi, need_fixed0)
static NEED_BOTH(need_exact_pmi, need_pmi, need_no_skid)

PMI_CLAIM(period_user, "arch", need_pmi, OVERFLOW);
PMI_CLAIM(period_kernel, "arch", need_pmi, OVERFLOW);
PMI_CLAIM(period_long, "arch", need_pmi, OVERFLOW);
PMI_CLAIM_OWN(every_counter, "arch", need_pmi,
              OVERFLOW "; " VERSION_2 ": PMI bits", "every_counter",
              "every general and every fixed counter raises a PMI when it overflows");
PMI_CLAIM(skid_user, "arch", need_pmi, SKID);
PMI_CLAIM(skid_kernel, "arch", need_pmi, SKID);
PMI_CLAIM(reload_short, "arch", need_exact_pmi, INTERRUPT);
PMI_CLAIM(reload_long, "arch", need_pmi, INTERRUPT);
PMI_CLAIM_OWN(reload_fixed, "arch", need_fixed0_pmi, INTERRUPT, "reload.fixed",
              "IA32_FIXED_CTR0 gives one PMI for each of 1,000 periods and loses no event");
PMI_CLAIM(reload_witness, "arch", need_pmi_gp2, INTERRUPT);
PMI_CLAIM_OWN(two_apart, "arch", need_pmi_gp2, STATUS, "two.apart",
              "two counters that overflow one after the other raise a PMI and set a status bit "
              "each");
PMI_CLAIM_OWN(two_together, "arch", need_pmi_gp2, STATUS, "two.together",
              "when one instruction overflows two counters, no status bit is lost");
PMI_CLAIM_OWN(many, "arch", need_pmi_v2, STATUS, "many",
              "when all counters overflow in one window, the handler sees every status bit");
PMI_CLAIM(nested, "arch", need_pmi_gp2, PMI_NMIS_INTEL);
PMI_CLAIM_OWN(without_int, "arch", need_pmi, VERSION_1 ", INT flag", "none_without_int",
              "an overflow with INT = 0 sets the status bit and raises no PMI");
PMI_CLAIM(only_overflow, "arch", need_pmi, OVERFLOW "; " STATUS);
PMI_CLAIM(masked, "arch", need_pmi, LVT ", mask");
PMI_CLAIM(mask, "arch", need_pmi, LVT ": the mask flag of LVTPC is set when a PMI is handled");
PMI_DELIVERY_CLAIMS("arch", need_pmi, INTEL);
PMI_CLAIM(halt_nmi, "arch", need_pmi, PMI_HALT_INTEL);

static void clear_en(unsigned counter)
{
	msr_write(arch_enable_msr(counter),
	          msr_read(arch_enable_msr(counter)) & ~arch_enable_bits(counter));
}

PMI_CLAIM_WRITTEN("arch", need_pmi, OVERFLOW, clear_en)

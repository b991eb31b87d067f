/* SPDX-License-Identifier: MIT */
/* Lists the families of tests that need a class of PMU, or a facility, which a machine may lack. */
#include <stddef.h>

#include <kernel/run/engine_hooks.h>
#include <kernel/run/families.h>
#include <pmu/sampling/ds.h>
#include <pmu/sampling/lbr_stack.h>
#include <tests/suites/common/events/intel_family.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/smp_tests.h>

static const struct test families[] = {
	FAMILY("amd", need_amd),
	FAMILY("arch", need_arch),
	FAMILY("bonnell", need_intel_family),
	FAMILY("broadwell", need_intel_family),
	FAMILY("bts", need_ds),
	FAMILY("core2", need_intel_family),
	FAMILY("errata", need_arch),
	FAMILY("gracemont", need_intel_family),
	FAMILY("haswell", need_intel_family),
	FAMILY("hybrid", need_kinds),
	FAMILY("ibs", need_amd),
	FAMILY("icelake", need_intel_family),
	FAMILY("ivybridge", need_intel_family),
	FAMILY("lbr", need_lbr),
	FAMILY("lioncove", need_intel_family),
	FAMILY("nehalem", need_intel_family),
	FAMILY("netburst", need_netburst),
	FAMILY("p5", need_p5),
	FAMILY("p6", need_p6),
	FAMILY("pebs", need_ds),
	FAMILY("pebs.netburst", need_netburst),
	FAMILY("pmu", need_counting_pmu),
	FAMILY("presets", need_counting_pmu),
	FAMILY("sampling", need_ds),
	FAMILY("sandybridge", need_intel_family),
	FAMILY("sapphirerapids", need_intel_family),
	FAMILY("skylake", need_intel_family),
	FAMILY("skymont", need_intel_family),
	FAMILY("smm", need_smi),
	FAMILY("smm.freeze", need_smi_freeze),
	FAMILY("svm", need_svm),
	FAMILY("tigerlake", need_intel_family),
	FAMILY("vmx", need_vmx),
	{ .id = NULL },
};

static const struct engine_hooks hooks = { .name = "families", .families = families };

ENGINE_HOOKS(hooks);

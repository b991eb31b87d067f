/* SPDX-License-Identifier: MIT */
/* Lists the families of tests that need a class of PMU, or a facility, which a machine may lack. */
#include <stddef.h>

#include <kernel/run/engine_hooks.h>
#include <kernel/run/families.h>
#include <pmu/sampling/ds.h>
#include <pmu/sampling/lbr_stack.h>
#include <tests/suites/common/needs.h>
#include <tests/suites/common/smp_tests.h>

static const struct test families[] = {
	FAMILY("amd", need_amd),
	FAMILY("arch", need_arch),
	FAMILY("bts", need_ds),
	FAMILY("errata", need_arch),
	FAMILY("hybrid", need_kinds),
	FAMILY("lbr", need_lbr),
	FAMILY("netburst", need_netburst),
	FAMILY("p5", need_p5),
	FAMILY("p6", need_p6),
	FAMILY("pebs", need_ds),
	FAMILY("pebs.netburst", need_netburst),
	FAMILY("pmu", need_counting_pmu),
	FAMILY("presets", need_counting_pmu),
	FAMILY("sampling", need_ds),
	FAMILY("smm", need_smi),
	FAMILY("smm.freeze", need_smi_freeze),
	FAMILY("svm", need_svm),
	FAMILY("vmx", need_vmx),
	{ .id = NULL },
};

static const struct engine_hooks hooks = { .name = "families", .families = families };

ENGINE_HOOKS(hooks);

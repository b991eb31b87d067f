/* SPDX-License-Identifier: MIT */
#include <tests/suites/common/pmi/arch_pmi.h>

#include <tests/suites/common/needs.h>

const char *need_pmi(struct test_ctx *t)
{
	const char *reason = need_arch(t);

	return reason ? reason : need_pmi_delivery(t);
}

const char *need_pmi_gp2(struct test_ctx *t)
{
	const char *reason = need_gp2(t);

	return reason ? reason : need_pmi_delivery(t);
}

const char *need_pmi_v2(struct test_ctx *t)
{
	const char *reason = need_arch_v2(t);

	return reason ? reason : need_pmi_delivery(t);
}

const char *need_pmi_v4(struct test_ctx *t)
{
	const char *reason = need_arch_v4(t);

	return reason ? reason : need_pmi_delivery(t);
}

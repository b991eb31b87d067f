/* SPDX-License-Identifier: MIT */
/* The handlers of the PMU's MSRs. n: which one of a row of equal registers. */
#ifndef MODEL_CORE_MSRS_H
#define MODEL_CORE_MSRS_H

#include <model/core/internal.h>

/* Writes a control register unless a bit outside bits is set, then sees who runs. */
enum model_status model_store(struct model *m, uint64_t *target, uint64_t value, uint64_t bits);

#define MSR_READ(name)  enum model_status name##_read(struct model *m, unsigned n, uint64_t *value)
#define MSR_WRITE(name) enum model_status name##_write(struct model *m, unsigned n, uint64_t value)

MSR_READ(perfevtsel);       MSR_WRITE(perfevtsel);
MSR_READ(pmc);              MSR_WRITE(pmc);
                            MSR_WRITE(a_pmc);
MSR_READ(fixed_ctr);        MSR_WRITE(fixed_ctr);
MSR_READ(fixed_ctrl);       MSR_WRITE(fixed_ctrl);
MSR_READ(perf_metrics);     MSR_WRITE(perf_metrics);
MSR_READ(global_ctrl);      MSR_WRITE(global_ctrl);
MSR_READ(global_status);
MSR_READ(ovf_ctrl);         MSR_WRITE(ovf_ctrl);
                            MSR_WRITE(status_set);
MSR_READ(global_inuse);
MSR_READ(capabilities);
MSR_READ(debugctl);         MSR_WRITE(debugctl);
MSR_READ(ds_area);         MSR_WRITE(ds_area);
MSR_READ(misc_enable);      MSR_WRITE(misc_enable);
MSR_READ(pebs_enable_arch); MSR_WRITE(pebs_enable_arch);
MSR_READ(pebs_data_cfg);    MSR_WRITE(pebs_data_cfg);
MSR_READ(pebs_ld_lat);      MSR_WRITE(pebs_ld_lat);
MSR_READ(pebs_frontend);    MSR_WRITE(pebs_frontend);
MSR_READ(cesr);             MSR_WRITE(cesr);
                            MSR_WRITE(ctr);
MSR_READ(netburst_counter); MSR_WRITE(netburst_counter);
MSR_READ(cccr);             MSR_WRITE(cccr);
MSR_READ(escr);             MSR_WRITE(escr);
MSR_READ(precise_event);    MSR_WRITE(precise_event);
MSR_READ(pebs_enable);      MSR_WRITE(pebs_enable);
MSR_READ(matrix_vert);      MSR_WRITE(matrix_vert);
MSR_READ(lbr_from);         MSR_WRITE(lbr_from);
MSR_READ(lbr_to);           MSR_WRITE(lbr_to);
MSR_READ(lbr_info);         MSR_WRITE(lbr_info);
MSR_READ(lbr_tos);          MSR_WRITE(lbr_tos);
MSR_READ(lbr_select);       MSR_WRITE(lbr_select);
MSR_READ(lbr_depth);        MSR_WRITE(lbr_depth);
MSR_READ(ler);              MSR_WRITE(ler);
MSR_READ(refuse);           MSR_WRITE(refuse);

#endif

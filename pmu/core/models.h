/* SPDX-License-Identifier: MIT */
/* Names the models of Intel's family 6, as CPUID's DisplayModel has them, for tables of silicon. */
#ifndef PMU_CORE_MODELS_H
#define PMU_CORE_MODELS_H

#define ON_CORE2       0x0f, 0x16, 0x17, 0x1d
#define ON_NEHALEM     0x1a, 0x1e, 0x1f, 0x2e
#define ON_WESTMERE    0x25, 0x2c, 0x2f
#define ON_SNB         0x2a, 0x2d
#define ON_IVB         0x3a, 0x3e
#define ON_HASWELL     0x3c, 0x3f, 0x45, 0x46
#define ON_BROADWELL   0x3d, 0x47, 0x4f, 0x56
#define ON_SKL_TO_CML  0x4e, 0x5e, 0x55, 0x8e, 0x9e, 0xa5, 0xa6
/* Big cores from Ice Lake to Panther Lake, and of Xeons from Ice Lake to Granite Rapids. */
#define ON_ICL_TO_PTL  0x6a, 0x6c, 0x7d, 0x7e, 0x8c, 0x8d, 0xa7, 0x97, 0x9a, 0xb7, 0xba, 0xbf, \
                       0x8f, 0xcf, 0xad, 0xae, 0xaa, 0xac, 0xb5, 0xbd, 0xc5, 0xc6, 0xcc, 0xd5
/* Bay Trail, Merrifield, Moorefield, and Airmont's Cherry Trail and Lightning Mountain. */
#define ON_EARLY_ATOMS  0x37, 0x4a, 0x5a, 0x4c, 0x75
/* Avoton, Denverton, Snow Ridge, Sierra Forest, Grand Ridge. */
#define ON_ATOM_SERVERS 0x4d, 0x5f, 0x86, 0xaf, 0xb6
/* Goldmont, Goldmont Plus, Elkhart Lake, Jasper Lake. */
#define ON_LATER_ATOMS  0x5c, 0x7a, 0x96, 0x9c
/* Alder, Raptor, Twin, Meteor, Arrow and Lunar Lake: E-cores from Gracemont to Skymont. */
#define ON_HYBRIDS      0x97, 0x9a, 0xb7, 0xba, 0xbf, 0xbe, 0xaa, 0xac, 0xb5, 0xc5, 0xc6, 0xbd
/* Clearwater Forest, Panther Lake, Wildcat Lake: Darkmont, which counts branches exactly. */
#define ON_DARKMONT     0xdd, 0xcc, 0xd5
/* Those before Darkmont: kvm-unit-tests lists the servers and means all "Atom platforms". */
#define ON_ATOMS        ON_EARLY_ATOMS, ON_ATOM_SERVERS, ON_LATER_ATOMS, ON_HYBRIDS

#endif

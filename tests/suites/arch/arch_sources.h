/* SPDX-License-Identifier: MIT */
/* The manual's sections that several tests of an architectural PMU quote. */
#ifndef TESTS_SUITES_ARCH_ARCH_SOURCES_H
#define TESTS_SUITES_ARCH_ARCH_SOURCES_H

#define V1    "SDM 3B, Architectural Performance Monitoring Version 1"
#define V2    "SDM 3B, Architectural Performance Monitoring Version 2"
#define V3    "SDM 3B, Architectural Performance Monitoring Version 3"
#define V4    "SDM 3B, Architectural Performance Monitoring Version 4"
#define V5    "SDM 3B, Architectural Performance Monitoring Version 5"
#define V6    "SDM 3B, Architectural Performance Monitoring Version 6"
#define FULL  "SDM 3B, Full-Width Writes to Performance Counter Registers"
#define MSRS  "SDM 4, Architectural MSRs"

/* The name of an event follows. */
#define EVENTS  "SDM 3B, Pre-defined Architectural Performance Events, "

#endif

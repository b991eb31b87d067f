/* SPDX-License-Identifier: MIT */
/*
 * Which mutant of the model runs. mutant_build.py puts this header and mutant.c into
 * its copy of the model; the model itself knows nothing of them.
 */
#ifndef TESTS_MUTATION_MUTANT_H
#define TESTS_MUTATION_MUTANT_H

#ifdef __cplusplus
extern "C" {
#endif

/* The number of the environment's PMU_MUTANT; 0: none. */
extern unsigned model_mutant;

/* By number: 1 if its place was reached since the last result. */
extern unsigned char model_mutant_reached[];

#define MUTANT(n) (model_mutant_reached[n] = 1, model_mutant == (n))

#ifdef __cplusplus
}
#endif

#endif

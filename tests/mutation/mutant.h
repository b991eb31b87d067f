/* SPDX-License-Identifier: MIT */
/*
 * Chooses the mutant of the model. mutant_build.py puts this header and mutant.c into its
 * copy of the model; the model itself does not know them.
 */
#ifndef TESTS_MUTATION_MUTANT_H
#define TESTS_MUTATION_MUTANT_H

#ifdef __cplusplus
extern "C" {
#endif

/* Holds the number in the environment variable PMU_MUTANT; 0 chooses no mutant. */
extern unsigned model_mutant;

/* Holds 1 for each mutant whose place was reached since the last result. */
extern unsigned char model_mutant_reached[];

#define MUTANT(n) (model_mutant_reached[n] = 1, model_mutant == (n))

#ifdef __cplusplus
}
#endif

#endif

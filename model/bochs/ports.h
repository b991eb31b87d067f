/* SPDX-License-Identifier: MIT */
/* Answers ports in the place of Bochs' devices, as the environment asks for. */
#ifndef MODEL_BOCHS_PORTS_H
#define MODEL_BOCHS_PORTS_H

/* Returns true if IN and OUT of a byte are to be shown to the functions below. */
bool ports_are_ours(void);

/* Return true if the access, of the instruction at ip, was answered here and not by Bochs. */
bool ports_read(Bit64u ip, Bit16u port, Bit8u *value);
bool ports_write(Bit64u ip, Bit16u port, Bit8u value);

#endif

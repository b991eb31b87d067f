/* SPDX-License-Identifier: MIT */
/*
 * The keyboard controller of PCs and what it says to a keyboard. IBM Personal System/2 Hardware
 * Interface Technical Reference, "Keyboard and Auxiliary Device Controller" and "Keyboard".
 */
#ifndef ARCH_REGS_I8042_H
#define ARCH_REGS_I8042_H

#include <arch/regs/bits.h>

#define I8042_PORT              0x60
#define I8042_DATA              0       /* from I8042_PORT: what it received; to the keyboard */
#define I8042_STATUS            4       /* read */
#define I8042_COMMAND           4       /* write */

#define I8042_STATUS_PARITY       BIT(7)
#define I8042_STATUS_TIMEOUT      BIT(6)
#define I8042_STATUS_AUXILIARY    BIT(5)        /* the data are the mouse's */
#define I8042_STATUS_INPUT_FULL   BIT(1)        /* it has not taken yet what was written */
#define I8042_STATUS_OUTPUT_FULL  BIT(0)        /* there is something to read */

#define I8042_READ_COMMAND_BYTE       0x20
#define I8042_WRITE_COMMAND_BYTE      0x60
#define I8042_DISABLE_AUXILIARY       0xA7
#define I8042_DISABLE_KEYBOARD        0xAD
#define I8042_ENABLE_KEYBOARD         0xAE

#define I8042_COMMAND_BYTE_TRANSLATE           BIT(6)   /* scan code set 2 becomes set 1 */
#define I8042_COMMAND_BYTE_DISABLE_AUXILIARY   BIT(5)
#define I8042_COMMAND_BYTE_DISABLE_KEYBOARD    BIT(4)
#define I8042_COMMAND_BYTE_AUXILIARY_INTERRUPT BIT(1)
#define I8042_COMMAND_BYTE_KEYBOARD_INTERRUPT  BIT(0)

/* To the keyboard, and what it answers. */
#define KEYBOARD_SET_LEDS             0xED
#define KEYBOARD_LED_CAPS_LOCK          BIT(2)
#define KEYBOARD_LED_NUM_LOCK           BIT(1)
#define KEYBOARD_SELECT_SCAN_CODES    0xF0
#define KEYBOARD_ENABLE               0xF4
#define KEYBOARD_ACK                  0xFA
#define KEYBOARD_RESEND               0xFE

#endif

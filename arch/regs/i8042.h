/* SPDX-License-Identifier: MIT */
/*
 * Defines the keyboard controller of PCs and the commands of keyboards. Source: IBM Personal
 * System/2 Hardware Interface Technical Reference, "Keyboard and Auxiliary Device Controller" and
 * "Keyboard".
 */
#ifndef ARCH_REGS_I8042_H
#define ARCH_REGS_I8042_H

#include <arch/regs/bits.h>

#define I8042_PORT              0x60
#define I8042_DATA              0       /* from I8042_PORT; a read receives, a write sends */
#define I8042_STATUS            4       /* read */
#define I8042_COMMAND           4       /* write */

#define I8042_STATUS_PARITY       BIT(7)
#define I8042_STATUS_TIMEOUT      BIT(6)
#define I8042_STATUS_AUXILIARY    BIT(5)        /* the data come from the mouse */
#define I8042_STATUS_INPUT_FULL   BIT(1)        /* what was written has not yet been taken */
#define I8042_STATUS_OUTPUT_FULL  BIT(0)        /* data are ready to be read */

#define I8042_READ_COMMAND_BYTE       0x20
#define I8042_WRITE_COMMAND_BYTE      0x60
#define I8042_DISABLE_AUXILIARY       0xA7
#define I8042_DISABLE_KEYBOARD        0xAD
#define I8042_ENABLE_KEYBOARD         0xAE

#define I8042_COMMAND_BYTE_TRANSLATE           BIT(6)   /* translates scan code set 2 into set 1 */
#define I8042_COMMAND_BYTE_DISABLE_AUXILIARY   BIT(5)
#define I8042_COMMAND_BYTE_DISABLE_KEYBOARD    BIT(4)
#define I8042_COMMAND_BYTE_AUXILIARY_INTERRUPT BIT(1)
#define I8042_COMMAND_BYTE_KEYBOARD_INTERRUPT  BIT(0)

/* These are commands to the keyboard, and its answers. */
#define KEYBOARD_SET_LEDS             0xED
#define KEYBOARD_LED_CAPS_LOCK          BIT(2)
#define KEYBOARD_LED_NUM_LOCK           BIT(1)
#define KEYBOARD_SELECT_SCAN_CODES    0xF0
#define KEYBOARD_ENABLE               0xF4
#define KEYBOARD_ACK                  0xFA
#define KEYBOARD_RESEND               0xFE

#endif

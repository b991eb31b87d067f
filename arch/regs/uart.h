/* SPDX-License-Identifier: MIT */
/*
 * Defines the registers of a 16550-compatible UART. Source: National Semiconductor, "PC16550D
 * Universal Asynchronous Receiver/Transmitter with FIFOs", table "Summary of Registers".
 */
#ifndef ARCH_REGS_UART_H
#define ARCH_REGS_UART_H

#include <arch/regs/bits.h>

/* Is true if every bit of an 8-bit register is named exactly once; see COVERS_ALL_ONCE. */
#define UART_COVERS_ALL_ONCE(fields)  ((fields(|)) == 0xFF && (fields(+)) == 0xFF)

#define UART_RBR                0       /* receiver buffer, read, LCR.DLAB = 0 */
#define UART_THR                0       /* transmitter holding register, write, LCR.DLAB = 0 */
#define UART_DLL                0       /* divisor latch, low byte, LCR.DLAB = 1 */
#define UART_DLM                1       /* divisor latch, high byte, LCR.DLAB = 1 */
#define UART_IER                1       /* interrupt enable; 0 if the line is polled */

#define UART_IIR                2       /* interrupt identification, read */
#define UART_IIR_FIFOS_ENABLED    FIELD(7, 6)   /* both set: FIFOs are there and on */
#define UART_IIR_RESERVED         FIELD(5, 4)
#define UART_IIR_ID               FIELD(3, 1)
#define UART_IIR_NOT_PENDING      BIT(0)
#define UART_IIR_FIELDS(op)       (UART_IIR_FIFOS_ENABLED op UART_IIR_RESERVED op UART_IIR_ID op \
                                   UART_IIR_NOT_PENDING)
_Static_assert(UART_COVERS_ALL_ONCE(UART_IIR_FIELDS), "UART IIR: gap or overlap");

#define UART_FCR                2       /* FIFO control, write */
#define UART_FCR_RCVR_TRIGGER     FIELD(7, 6)
#define UART_FCR_RESERVED         FIELD(5, 4)
#define UART_FCR_DMA_MODE         BIT(3)
#define UART_FCR_XMIT_RESET       BIT(2)
#define UART_FCR_RCVR_RESET       BIT(1)
#define UART_FCR_FIFO_ENABLE      BIT(0)
#define UART_FCR_FIELDS(op)       (UART_FCR_RCVR_TRIGGER op UART_FCR_RESERVED op \
                                   UART_FCR_DMA_MODE op UART_FCR_XMIT_RESET op \
                                   UART_FCR_RCVR_RESET op UART_FCR_FIFO_ENABLE)
_Static_assert(UART_COVERS_ALL_ONCE(UART_FCR_FIELDS), "UART FCR: gap or overlap");

#define UART_LCR                3       /* line control */
#define UART_LCR_DLAB             BIT(7)        /* registers 0 and 1 are the divisor latch */
#define UART_LCR_BREAK            BIT(6)
#define UART_LCR_STICK_PARITY     BIT(5)
#define UART_LCR_EVEN_PARITY      BIT(4)
#define UART_LCR_PARITY_ENABLE    BIT(3)
#define UART_LCR_STOP_BITS        BIT(2)        /* 0: one, 1: two (1.5 with 5 data bits) */
#define UART_LCR_WORD_LENGTH      FIELD(1, 0)   /* data bits - 5 */
#define UART_LCR_FIELDS(op)       (UART_LCR_DLAB op UART_LCR_BREAK op UART_LCR_STICK_PARITY op \
                                   UART_LCR_EVEN_PARITY op UART_LCR_PARITY_ENABLE op \
                                   UART_LCR_STOP_BITS op UART_LCR_WORD_LENGTH)
_Static_assert(UART_COVERS_ALL_ONCE(UART_LCR_FIELDS), "UART LCR: gap or overlap");

#define UART_MCR                4       /* modem control */
#define UART_MCR_RESERVED         FIELD(7, 5)
#define UART_MCR_LOOP             BIT(4)        /* the transmitter feeds the receiver */
#define UART_MCR_OUT2             BIT(3)        /* on a PC: connects the interrupt line */
#define UART_MCR_OUT1             BIT(2)
#define UART_MCR_RTS              BIT(1)
#define UART_MCR_DTR              BIT(0)
#define UART_MCR_FIELDS(op)       (UART_MCR_RESERVED op UART_MCR_LOOP op UART_MCR_OUT2 op \
                                   UART_MCR_OUT1 op UART_MCR_RTS op UART_MCR_DTR)
_Static_assert(UART_COVERS_ALL_ONCE(UART_MCR_FIELDS), "UART MCR: gap or overlap");

#define UART_LSR                5       /* line status */
#define UART_LSR_FIFO_ERROR       BIT(7)
#define UART_LSR_TEMT             BIT(6)        /* holding register and shift register are empty */
#define UART_LSR_THRE             BIT(5)        /* holding register, or the FIFO, is empty */
#define UART_LSR_BI               BIT(4)
#define UART_LSR_FE               BIT(3)
#define UART_LSR_PE               BIT(2)
#define UART_LSR_OE               BIT(1)
#define UART_LSR_DR               BIT(0)        /* a character has been received */
#define UART_LSR_FIELDS(op)       (UART_LSR_FIFO_ERROR op UART_LSR_TEMT op UART_LSR_THRE op \
                                   UART_LSR_BI op UART_LSR_FE op UART_LSR_PE op UART_LSR_OE op \
                                   UART_LSR_DR)
_Static_assert(UART_COVERS_ALL_ONCE(UART_LSR_FIELDS), "UART LSR: gap or overlap");

#define UART_MSR                6       /* modem status; not a model-specific register */
#define UART_SCR                7       /* scratch: only stores a byte */

#endif

; SPDX-License-Identifier: MIT
; Where the fast system calls of arch_fast_calls.c arrive at CPL 0: two NOPs, and back.

%include "arch/cpu/native.inc"

section .text

; in: xCX = the caller's stack, xDX = where it goes on; as SYSEXIT wants them
global arch_fast_calls_sysenter, arch_fast_calls_sysexit
arch_fast_calls_sysenter:
        nop
        nop
arch_fast_calls_sysexit:
%if NATIVE_SIZE == 8
        o64 sysexit
%else
        sysexit
%endif

%if NATIVE_SIZE == 8
; in: RCX = where the caller goes on, R11 = its RFLAGS; as SYSRET wants them
global arch_fast_calls_syscall, arch_fast_calls_sysret
arch_fast_calls_syscall:
        nop
        nop
arch_fast_calls_sysret:
        o64 sysret
%endif

; SPDX-License-Identifier: MIT
; Handles the fast system calls at CPL 0: two NOPs, and back; see fast_calls.h.

%include "arch/cpu/native.inc"

section .text

; in: xCX = the caller's stack, xDX = where the caller goes on, as SYSEXIT takes them
global fast_calls_sysenter, fast_calls_sysexit
fast_calls_sysenter:
        nop
        nop
fast_calls_sysexit:
%if NATIVE_SIZE == 8
        o64 sysexit
%else
        sysexit
%endif

; in: xCX = where the caller goes on, 64-bit: R11 = its RFLAGS, as SYSRET takes them
global fast_calls_syscall, fast_calls_sysret
fast_calls_syscall:
        nop
        nop
fast_calls_sysret:
%if NATIVE_SIZE == 8
        o64 sysret
%else
        sysret
%endif

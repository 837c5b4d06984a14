/* SPDX-License-Identifier: BSD-2-Clause
 *
 * PROBE(): a static probe as notes tell of them (.note.stapsdt).
 */
#ifndef SUPPORT_NOTE_H
#define SUPPORT_NOTE_H

#define BASE \
	".ifndef _.stapsdt.base\n" \
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n.hidden _.stapsdt.base\n" \
	"_.stapsdt.base: .space 1\n.size _.stapsdt.base, 1\n.popsection\n.endif\n"

#if __SIZEOF_POINTER__ == 4
#define NOTE_WORD ".4byte "
#else
#define NOTE_WORD ".8byte "
#endif

/* A place of the probe PROVIDER:name: what an assembler makes of the operands in args. */
#define PROBE(name, counter, args, ...) \
	PROBE_AT("", name, counter, args, __VA_ARGS__)

/* The first byte of the instruction; registers that have parts of a byte; any one. */
#if defined(__x86_64__) || defined(__i386__)
enum { NOP = 0x90 };
#define BYTE_REG "q"
#define SOME_REG "a"
#else
enum { NOP = 0x1f };
#define BYTE_REG "r"
#define SOME_REG "r"
#endif

/* The same, with a label; the code must be there once.  A tracer has the kernel count first
 * and have the instruction trap then: who waits for one to count every firing has to look
 * at the instruction. */
#define PROBE_AT(label, name, counter, args, ...) \
	__asm__ volatile( \
		label "990: nop\n" \
		".pushsection .note.stapsdt,\"\",\"note\"\n" \
		".balign 4\n.4byte 992f-991f, 994f-993f, 3\n" \
		"991: .asciz \"stapsdt\"\n" \
		"992: .balign 4\n" \
		"993: " NOTE_WORD "990b\n" NOTE_WORD "_.stapsdt.base\n" \
		NOTE_WORD counter "\n" \
		".asciz \"" PROVIDER "\"\n.asciz \"" name "\"\n.asciz \"" args "\"\n" \
		"994: .balign 4\n.popsection\n" BASE \
		:: __VA_ARGS__)

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Static probes in programs: C and C++, x86-64 and aarch64, no library.
 *
 *	#include <dtrace/sdt.h>
 *
 *	if (DTRACE_PROBE_ENABLED(myprov, request__start))
 *		DTRACE_PROBE2(myprov, request__start, id, url);
 *
 * is what others see as the probe request-start of the provider myprov with two
 * arguments.  dtrace -h makes macros with checked types, and this text is the first
 * part of the header that it writes: a header that is made needs nothing installed,
 * and the code of a probe is written down once.
 *
 * A probe is one instruction that does nothing, one byte long on x86-64, and an entry
 * in the section .note.stapsdt that says where it is and where its arguments are: as
 * constants, in registers or on the stack.  Nothing has to be done to the program
 * after it is compiled.  A counter of two bytes in the section .probes says how many
 * trace the probe; it is hidden, and a group of its own, so that objects of one
 * program or library share it and do not clash.
 *
 * Arguments are integers, enums and pointers, each evaluated once, whether anybody
 * traces or not: ask DTRACE_PROBE_ENABLED() before what is expensive.  What pointers
 * point to has been stored when the probe is passed.
 */
#ifndef DTRACE_SDT_H
#define DTRACE_SDT_H

#if defined(__ELF__) && (defined(__aarch64__) || \
			 (defined(__x86_64__) && !defined(__ILP32__)))

/* --- Values: their types, sizes and signs -------------------------------- */

#ifdef __cplusplus
extern "C++" {
template <class T> T dtrace_sdt_value(T);
template <bool> struct dtrace_sdt_argument_is_integer_enum_or_pointer;
template <> struct dtrace_sdt_argument_is_integer_enum_or_pointer<true> {
	enum { okay = 1 };
};
template <class T> struct dtrace_sdt_arg {
	enum { size = dtrace_sdt_argument_is_integer_enum_or_pointer<
			__is_enum(T)>::okay *
		static_cast<int>(sizeof(T)) *
		(static_cast<T>(-1) < static_cast<T>(1) ? -1 : 1) };
};
template <class T> struct dtrace_sdt_arg<T *> { enum { size = 8 }; };
template <class T> struct dtrace_sdt_arg<const T> : dtrace_sdt_arg<T> {};
template <class T> struct dtrace_sdt_arg<volatile T> : dtrace_sdt_arg<T> {};
template <> struct dtrace_sdt_arg<bool> { enum { size = 1 }; };
#define DTRACE_SDT_INT_(T) \
	template <> struct dtrace_sdt_arg<T> { \
		enum { size = static_cast<int>(sizeof(T)) * \
			(static_cast<T>(-1) < static_cast<T>(1) ? -1 : 1) }; \
	};
DTRACE_SDT_INT_(char)
DTRACE_SDT_INT_(signed char)
DTRACE_SDT_INT_(unsigned char)
DTRACE_SDT_INT_(wchar_t)
DTRACE_SDT_INT_(short)
DTRACE_SDT_INT_(unsigned short)
DTRACE_SDT_INT_(int)
DTRACE_SDT_INT_(unsigned int)
DTRACE_SDT_INT_(long)
DTRACE_SDT_INT_(unsigned long)
/* C++98 has none, as g++ -pedantic says in spite of __extension__. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wlong-long"
__extension__ typedef long long dtrace_sdt_llong;
__extension__ typedef unsigned long long dtrace_sdt_ullong;
#pragma GCC diagnostic pop
DTRACE_SDT_INT_(dtrace_sdt_llong)
DTRACE_SDT_INT_(dtrace_sdt_ullong)
#if __cplusplus >= 201103L
DTRACE_SDT_INT_(char16_t)
DTRACE_SDT_INT_(char32_t)
#endif
#ifdef __cpp_char8_t
DTRACE_SDT_INT_(char8_t)
#endif
#undef DTRACE_SDT_INT_
}
#define DTRACE_SDT_VALUE_(i, a) \
	__typeof__(dtrace_sdt_value(a)) dtrace_sdt_##i = (a);
#define DTRACE_SDT_SIZE_(v) \
	(dtrace_sdt_arg<__typeof__(v)>::size)
#else
/* An array becomes a pointer behind a comma. */
#define DTRACE_SDT_VALUE_(i, a) \
	__typeof__(((void)0, (a))) dtrace_sdt_##i = (a); \
	__extension__ _Static_assert( \
		__builtin_classify_type(dtrace_sdt_##i) <= 5 && \
		sizeof(dtrace_sdt_##i) <= 8, \
		"an argument of a probe is an integer, an enum or a pointer");
#define DTRACE_SDT_INT_(v) \
	__typeof__(__builtin_choose_expr(__builtin_classify_type(v) == 5, 0ul, v))
#define DTRACE_SDT_SIZE_(v) \
	((int)sizeof(v) * \
	 ((DTRACE_SDT_INT_(v))-1 < (DTRACE_SDT_INT_(v))1 ? -1 : 1))
#endif

/* --- Assembly ------------------------------------------------------------
 *
 * The names of providers and probes are made texts before anything else, lest they
 * be macros, as linux is one. */

/* That it is long says nothing of how much code it is. */
#if __GNUC__ >= 9 || (defined(__clang_major__) && __clang_major__ >= 11)
#define DTRACE_SDT_ASM_ __asm__ __inline__ __volatile__
#else
#define DTRACE_SDT_ASM_ __asm__ __volatile__
#endif
/* gcc leaves a value on the stack where it is; clang would store it there. */
#ifdef __clang__
#define DTRACE_SDT_IN_(i) \
	[s##i] "n" (DTRACE_SDT_SIZE_(dtrace_sdt_##i)), [a##i] "nr" (dtrace_sdt_##i)
#else
#define DTRACE_SDT_IN_(i) \
	[s##i] "n" (DTRACE_SDT_SIZE_(dtrace_sdt_##i)), [a##i] "nor" (dtrace_sdt_##i)
#endif
#define DTRACE_SDT_OUT_(i) "%c[s" #i "]@%[a" #i "]"

#define DTRACE_SDT_COUNTER_(prov, name) "__dtraceenabled_" prov "___" name
/* The counter, unless this assembly has it already. */
#define DTRACE_SDT_DEFINE_(sym) \
	".ifndef " sym "\n" \
	".pushsection .probes,\"awG\",\"progbits\"," sym ",comdat\n" \
	".balign 2\n" \
	".weak " sym "\n" \
	".hidden " sym "\n" \
	".type " sym ",STT_OBJECT\n" \
	".size " sym ",2\n" \
	sym ": .2byte 0\n" \
	".popsection\n" \
	".endif\n"
/* By what has become of the address of this byte a reader of a file sees that its
 * code was moved after it was linked. */
#define DTRACE_SDT_BASE_ \
	".ifndef _.stapsdt.base\n" \
	".pushsection .stapsdt.base,\"aG\",\"progbits\",.stapsdt.base,comdat\n" \
	".weak _.stapsdt.base\n" \
	".hidden _.stapsdt.base\n" \
	"_.stapsdt.base: .space 1\n" \
	".size _.stapsdt.base,1\n" \
	".popsection\n" \
	".endif\n"
/* The instruction, and its note: an ELF note of the name stapsdt and the type 3.
 * The note goes with the group of the function, if that is in one. */
#define DTRACE_SDT_NOTE_(prov, name, args) \
	"990: nop\n" \
	".pushsection .note.stapsdt,\"?\",\"note\"\n" \
	".balign 4\n" \
	".4byte 992f-991f, 994f-993f, 3\n" \
	"991: .asciz \"stapsdt\"\n" \
	"992: .balign 4\n" \
	"993: .8byte 990b, _.stapsdt.base, " DTRACE_SDT_COUNTER_(prov, name) "\n" \
	".asciz \"" prov "\"\n" \
	".asciz \"" name "\"\n" \
	".asciz \"" args "\"\n" \
	"994: .balign 4\n" \
	".popsection\n" \
	DTRACE_SDT_BASE_ \
	DTRACE_SDT_DEFINE_(DTRACE_SDT_COUNTER_(prov, name))
/* --- Probes --------------------------------------------------------------
 *
 * "memory": what a pointer points to must be there, although nobody seems to read
 * it. */

/* Read the counter.  As assembly, since g++ forgets in templates and lambdas how an
 * extern variable is called in assembly. */
#ifdef __x86_64__
#define DTRACE_SDT_READ_(sym) "movzwl " sym "(%%rip), %k0\n"
#else
#define DTRACE_SDT_READ_(sym) \
	"adrp %x0, " sym "\n" \
	"ldrh %w0, [%x0, :lo12:" sym "]\n"
#endif
/* True while somebody traces the probe: one load and one branch. */
#define DTRACE_PROBE_ENABLED(prov, name) __extension__ ({ \
	unsigned int dtrace_sdt_counter; \
	DTRACE_SDT_ASM_ (DTRACE_SDT_READ_(DTRACE_SDT_COUNTER_(#prov, #name)) \
		DTRACE_SDT_DEFINE_(DTRACE_SDT_COUNTER_(#prov, #name)) \
		: "=r" (dtrace_sdt_counter)); \
	__builtin_expect(dtrace_sdt_counter != 0, 0); })

#define DTRACE_PROBE(prov, name) \
	DTRACE_SDT_ASM_ (DTRACE_SDT_NOTE_(#prov, #name, "") : : : "memory")
#define DTRACE_PROBE1(prov, name, a1) do { \
	DTRACE_SDT_VALUE_(1, a1) \
	DTRACE_SDT_ASM_ (DTRACE_SDT_NOTE_(#prov, #name, \
		DTRACE_SDT_OUT_(1)) \
		: : \
		DTRACE_SDT_IN_(1) : "memory"); \
} while (0)
#define DTRACE_PROBE2(prov, name, a1, a2) do { \
	DTRACE_SDT_VALUE_(1, a1) DTRACE_SDT_VALUE_(2, a2) \
	DTRACE_SDT_ASM_ (DTRACE_SDT_NOTE_(#prov, #name, \
		DTRACE_SDT_OUT_(1) " " DTRACE_SDT_OUT_(2)) \
		: : \
		DTRACE_SDT_IN_(1), DTRACE_SDT_IN_(2) : "memory"); \
} while (0)
#define DTRACE_PROBE3(prov, name, a1, a2, a3) do { \
	DTRACE_SDT_VALUE_(1, a1) DTRACE_SDT_VALUE_(2, a2) \
		DTRACE_SDT_VALUE_(3, a3) \
	DTRACE_SDT_ASM_ (DTRACE_SDT_NOTE_(#prov, #name, \
		DTRACE_SDT_OUT_(1) " " DTRACE_SDT_OUT_(2) " " \
		DTRACE_SDT_OUT_(3)) \
		: : \
		DTRACE_SDT_IN_(1), DTRACE_SDT_IN_(2), DTRACE_SDT_IN_(3) : "memory"); \
} while (0)
#define DTRACE_PROBE4(prov, name, a1, a2, a3, a4) do { \
	DTRACE_SDT_VALUE_(1, a1) DTRACE_SDT_VALUE_(2, a2) \
		DTRACE_SDT_VALUE_(3, a3) DTRACE_SDT_VALUE_(4, a4) \
	DTRACE_SDT_ASM_ (DTRACE_SDT_NOTE_(#prov, #name, \
		DTRACE_SDT_OUT_(1) " " DTRACE_SDT_OUT_(2) " " \
		DTRACE_SDT_OUT_(3) " " DTRACE_SDT_OUT_(4)) \
		: : \
		DTRACE_SDT_IN_(1), DTRACE_SDT_IN_(2), DTRACE_SDT_IN_(3), \
		DTRACE_SDT_IN_(4) : "memory"); \
} while (0)
#define DTRACE_PROBE5(prov, name, a1, a2, a3, a4, a5) do { \
	DTRACE_SDT_VALUE_(1, a1) DTRACE_SDT_VALUE_(2, a2) \
		DTRACE_SDT_VALUE_(3, a3) DTRACE_SDT_VALUE_(4, a4) \
		DTRACE_SDT_VALUE_(5, a5) \
	DTRACE_SDT_ASM_ (DTRACE_SDT_NOTE_(#prov, #name, \
		DTRACE_SDT_OUT_(1) " " DTRACE_SDT_OUT_(2) " " \
		DTRACE_SDT_OUT_(3) " " DTRACE_SDT_OUT_(4) " " \
		DTRACE_SDT_OUT_(5)) \
		: : \
		DTRACE_SDT_IN_(1), DTRACE_SDT_IN_(2), DTRACE_SDT_IN_(3), \
		DTRACE_SDT_IN_(4), DTRACE_SDT_IN_(5) : "memory"); \
} while (0)
#define DTRACE_PROBE6(prov, name, a1, a2, a3, a4, a5, a6) do { \
	DTRACE_SDT_VALUE_(1, a1) DTRACE_SDT_VALUE_(2, a2) \
		DTRACE_SDT_VALUE_(3, a3) DTRACE_SDT_VALUE_(4, a4) \
		DTRACE_SDT_VALUE_(5, a5) DTRACE_SDT_VALUE_(6, a6) \
	DTRACE_SDT_ASM_ (DTRACE_SDT_NOTE_(#prov, #name, \
		DTRACE_SDT_OUT_(1) " " DTRACE_SDT_OUT_(2) " " \
		DTRACE_SDT_OUT_(3) " " DTRACE_SDT_OUT_(4) " " \
		DTRACE_SDT_OUT_(5) " " DTRACE_SDT_OUT_(6)) \
		: : \
		DTRACE_SDT_IN_(1), DTRACE_SDT_IN_(2), DTRACE_SDT_IN_(3), \
		DTRACE_SDT_IN_(4), DTRACE_SDT_IN_(5), DTRACE_SDT_IN_(6) : "memory"); \
} while (0)
#define DTRACE_PROBE7(prov, name, a1, a2, a3, a4, a5, a6, a7) do { \
	DTRACE_SDT_VALUE_(1, a1) DTRACE_SDT_VALUE_(2, a2) \
		DTRACE_SDT_VALUE_(3, a3) DTRACE_SDT_VALUE_(4, a4) \
		DTRACE_SDT_VALUE_(5, a5) DTRACE_SDT_VALUE_(6, a6) \
		DTRACE_SDT_VALUE_(7, a7) \
	DTRACE_SDT_ASM_ (DTRACE_SDT_NOTE_(#prov, #name, \
		DTRACE_SDT_OUT_(1) " " DTRACE_SDT_OUT_(2) " " \
		DTRACE_SDT_OUT_(3) " " DTRACE_SDT_OUT_(4) " " \
		DTRACE_SDT_OUT_(5) " " DTRACE_SDT_OUT_(6) " " \
		DTRACE_SDT_OUT_(7)) \
		: : \
		DTRACE_SDT_IN_(1), DTRACE_SDT_IN_(2), DTRACE_SDT_IN_(3), \
		DTRACE_SDT_IN_(4), DTRACE_SDT_IN_(5), DTRACE_SDT_IN_(6), \
		DTRACE_SDT_IN_(7) : "memory"); \
} while (0)
#define DTRACE_PROBE8(prov, name, a1, a2, a3, a4, a5, a6, a7, a8) do { \
	DTRACE_SDT_VALUE_(1, a1) DTRACE_SDT_VALUE_(2, a2) \
		DTRACE_SDT_VALUE_(3, a3) DTRACE_SDT_VALUE_(4, a4) \
		DTRACE_SDT_VALUE_(5, a5) DTRACE_SDT_VALUE_(6, a6) \
		DTRACE_SDT_VALUE_(7, a7) DTRACE_SDT_VALUE_(8, a8) \
	DTRACE_SDT_ASM_ (DTRACE_SDT_NOTE_(#prov, #name, \
		DTRACE_SDT_OUT_(1) " " DTRACE_SDT_OUT_(2) " " \
		DTRACE_SDT_OUT_(3) " " DTRACE_SDT_OUT_(4) " " \
		DTRACE_SDT_OUT_(5) " " DTRACE_SDT_OUT_(6) " " \
		DTRACE_SDT_OUT_(7) " " DTRACE_SDT_OUT_(8)) \
		: : \
		DTRACE_SDT_IN_(1), DTRACE_SDT_IN_(2), DTRACE_SDT_IN_(3), \
		DTRACE_SDT_IN_(4), DTRACE_SDT_IN_(5), DTRACE_SDT_IN_(6), \
		DTRACE_SDT_IN_(7), DTRACE_SDT_IN_(8) : "memory"); \
} while (0)
#define DTRACE_PROBE9(prov, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) do { \
	DTRACE_SDT_VALUE_(1, a1) DTRACE_SDT_VALUE_(2, a2) \
		DTRACE_SDT_VALUE_(3, a3) DTRACE_SDT_VALUE_(4, a4) \
		DTRACE_SDT_VALUE_(5, a5) DTRACE_SDT_VALUE_(6, a6) \
		DTRACE_SDT_VALUE_(7, a7) DTRACE_SDT_VALUE_(8, a8) \
		DTRACE_SDT_VALUE_(9, a9) \
	DTRACE_SDT_ASM_ (DTRACE_SDT_NOTE_(#prov, #name, \
		DTRACE_SDT_OUT_(1) " " DTRACE_SDT_OUT_(2) " " \
		DTRACE_SDT_OUT_(3) " " DTRACE_SDT_OUT_(4) " " \
		DTRACE_SDT_OUT_(5) " " DTRACE_SDT_OUT_(6) " " \
		DTRACE_SDT_OUT_(7) " " DTRACE_SDT_OUT_(8) " " \
		DTRACE_SDT_OUT_(9)) \
		: : \
		DTRACE_SDT_IN_(1), DTRACE_SDT_IN_(2), DTRACE_SDT_IN_(3), \
		DTRACE_SDT_IN_(4), DTRACE_SDT_IN_(5), DTRACE_SDT_IN_(6), \
		DTRACE_SDT_IN_(7), DTRACE_SDT_IN_(8), DTRACE_SDT_IN_(9) : "memory"); \
} while (0)
#define DTRACE_PROBE10(prov, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) do { \
	DTRACE_SDT_VALUE_(1, a1) DTRACE_SDT_VALUE_(2, a2) \
		DTRACE_SDT_VALUE_(3, a3) DTRACE_SDT_VALUE_(4, a4) \
		DTRACE_SDT_VALUE_(5, a5) DTRACE_SDT_VALUE_(6, a6) \
		DTRACE_SDT_VALUE_(7, a7) DTRACE_SDT_VALUE_(8, a8) \
		DTRACE_SDT_VALUE_(9, a9) DTRACE_SDT_VALUE_(10, a10) \
	DTRACE_SDT_ASM_ (DTRACE_SDT_NOTE_(#prov, #name, \
		DTRACE_SDT_OUT_(1) " " DTRACE_SDT_OUT_(2) " " \
		DTRACE_SDT_OUT_(3) " " DTRACE_SDT_OUT_(4) " " \
		DTRACE_SDT_OUT_(5) " " DTRACE_SDT_OUT_(6) " " \
		DTRACE_SDT_OUT_(7) " " DTRACE_SDT_OUT_(8) " " \
		DTRACE_SDT_OUT_(9) " " DTRACE_SDT_OUT_(10)) \
		: : \
		DTRACE_SDT_IN_(1), DTRACE_SDT_IN_(2), DTRACE_SDT_IN_(3), \
		DTRACE_SDT_IN_(4), DTRACE_SDT_IN_(5), DTRACE_SDT_IN_(6), \
		DTRACE_SDT_IN_(7), DTRACE_SDT_IN_(8), DTRACE_SDT_IN_(9), \
		DTRACE_SDT_IN_(10) : "memory"); \
} while (0)
#define DTRACE_PROBE11(prov, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, \
		a11) do { \
	DTRACE_SDT_VALUE_(1, a1) DTRACE_SDT_VALUE_(2, a2) \
		DTRACE_SDT_VALUE_(3, a3) DTRACE_SDT_VALUE_(4, a4) \
		DTRACE_SDT_VALUE_(5, a5) DTRACE_SDT_VALUE_(6, a6) \
		DTRACE_SDT_VALUE_(7, a7) DTRACE_SDT_VALUE_(8, a8) \
		DTRACE_SDT_VALUE_(9, a9) DTRACE_SDT_VALUE_(10, a10) \
		DTRACE_SDT_VALUE_(11, a11) \
	DTRACE_SDT_ASM_ (DTRACE_SDT_NOTE_(#prov, #name, \
		DTRACE_SDT_OUT_(1) " " DTRACE_SDT_OUT_(2) " " \
		DTRACE_SDT_OUT_(3) " " DTRACE_SDT_OUT_(4) " " \
		DTRACE_SDT_OUT_(5) " " DTRACE_SDT_OUT_(6) " " \
		DTRACE_SDT_OUT_(7) " " DTRACE_SDT_OUT_(8) " " \
		DTRACE_SDT_OUT_(9) " " DTRACE_SDT_OUT_(10) " " \
		DTRACE_SDT_OUT_(11)) \
		: : \
		DTRACE_SDT_IN_(1), DTRACE_SDT_IN_(2), DTRACE_SDT_IN_(3), \
		DTRACE_SDT_IN_(4), DTRACE_SDT_IN_(5), DTRACE_SDT_IN_(6), \
		DTRACE_SDT_IN_(7), DTRACE_SDT_IN_(8), DTRACE_SDT_IN_(9), \
		DTRACE_SDT_IN_(10), DTRACE_SDT_IN_(11) : "memory"); \
} while (0)
#define DTRACE_PROBE12(prov, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, \
		a11, a12) do { \
	DTRACE_SDT_VALUE_(1, a1) DTRACE_SDT_VALUE_(2, a2) \
		DTRACE_SDT_VALUE_(3, a3) DTRACE_SDT_VALUE_(4, a4) \
		DTRACE_SDT_VALUE_(5, a5) DTRACE_SDT_VALUE_(6, a6) \
		DTRACE_SDT_VALUE_(7, a7) DTRACE_SDT_VALUE_(8, a8) \
		DTRACE_SDT_VALUE_(9, a9) DTRACE_SDT_VALUE_(10, a10) \
		DTRACE_SDT_VALUE_(11, a11) DTRACE_SDT_VALUE_(12, a12) \
	DTRACE_SDT_ASM_ (DTRACE_SDT_NOTE_(#prov, #name, \
		DTRACE_SDT_OUT_(1) " " DTRACE_SDT_OUT_(2) " " \
		DTRACE_SDT_OUT_(3) " " DTRACE_SDT_OUT_(4) " " \
		DTRACE_SDT_OUT_(5) " " DTRACE_SDT_OUT_(6) " " \
		DTRACE_SDT_OUT_(7) " " DTRACE_SDT_OUT_(8) " " \
		DTRACE_SDT_OUT_(9) " " DTRACE_SDT_OUT_(10) " " \
		DTRACE_SDT_OUT_(11) " " DTRACE_SDT_OUT_(12)) \
		: : \
		DTRACE_SDT_IN_(1), DTRACE_SDT_IN_(2), DTRACE_SDT_IN_(3), \
		DTRACE_SDT_IN_(4), DTRACE_SDT_IN_(5), DTRACE_SDT_IN_(6), \
		DTRACE_SDT_IN_(7), DTRACE_SDT_IN_(8), DTRACE_SDT_IN_(9), \
		DTRACE_SDT_IN_(10), DTRACE_SDT_IN_(11), DTRACE_SDT_IN_(12) : "memory"); \
} while (0)

#else	/* programs for other machines have no probes */

#define DTRACE_PROBE_ENABLED(prov, name) 0
#define DTRACE_PROBE(prov, name) do { } while (0)
#define DTRACE_PROBE1(prov, name, a1) do { \
	(void)(a1); \
} while (0)
#define DTRACE_PROBE2(prov, name, a1, a2) do { \
	(void)(a1); (void)(a2); \
} while (0)
#define DTRACE_PROBE3(prov, name, a1, a2, a3) do { \
	(void)(a1); (void)(a2); (void)(a3); \
} while (0)
#define DTRACE_PROBE4(prov, name, a1, a2, a3, a4) do { \
	(void)(a1); (void)(a2); (void)(a3); (void)(a4); \
} while (0)
#define DTRACE_PROBE5(prov, name, a1, a2, a3, a4, a5) do { \
	(void)(a1); (void)(a2); (void)(a3); (void)(a4); (void)(a5); \
} while (0)
#define DTRACE_PROBE6(prov, name, a1, a2, a3, a4, a5, a6) do { \
	(void)(a1); (void)(a2); (void)(a3); (void)(a4); (void)(a5); \
		(void)(a6); \
} while (0)
#define DTRACE_PROBE7(prov, name, a1, a2, a3, a4, a5, a6, a7) do { \
	(void)(a1); (void)(a2); (void)(a3); (void)(a4); (void)(a5); \
		(void)(a6); (void)(a7); \
} while (0)
#define DTRACE_PROBE8(prov, name, a1, a2, a3, a4, a5, a6, a7, a8) do { \
	(void)(a1); (void)(a2); (void)(a3); (void)(a4); (void)(a5); \
		(void)(a6); (void)(a7); (void)(a8); \
} while (0)
#define DTRACE_PROBE9(prov, name, a1, a2, a3, a4, a5, a6, a7, a8, a9) do { \
	(void)(a1); (void)(a2); (void)(a3); (void)(a4); (void)(a5); \
		(void)(a6); (void)(a7); (void)(a8); (void)(a9); \
} while (0)
#define DTRACE_PROBE10(prov, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10) do { \
	(void)(a1); (void)(a2); (void)(a3); (void)(a4); (void)(a5); \
		(void)(a6); (void)(a7); (void)(a8); (void)(a9); (void)(a10); \
} while (0)
#define DTRACE_PROBE11(prov, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, \
		a11) do { \
	(void)(a1); (void)(a2); (void)(a3); (void)(a4); (void)(a5); \
		(void)(a6); (void)(a7); (void)(a8); (void)(a9); (void)(a10); \
		(void)(a11); \
} while (0)
#define DTRACE_PROBE12(prov, name, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, \
		a11, a12) do { \
	(void)(a1); (void)(a2); (void)(a3); (void)(a4); (void)(a5); \
		(void)(a6); (void)(a7); (void)(a8); (void)(a9); (void)(a10); \
		(void)(a11); (void)(a12); \
} while (0)

#endif

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One value: a field, a number, a time.
 */
#ifndef FMT_FIELD_PRIV_H
#define FMT_FIELD_PRIV_H

#include "fmt/fmt_priv.h"
#include "pfmt/pfmt.h"
#include "sym/names.h"

/* --- field.c: one value ------------------------------------------------- */

/* A field as trace() or as a key of an aggregation prints it. */
void fmt_field(const struct fmt *f, const struct abi_field *d,
	       const uint8_t *base, enum fmt_place place, struct sb *b);
/* "\n", then one frame a line. */
void fmt_stack(const struct fmt *f, const struct abi_field *d,
	       const uint8_t *base, struct sb *b);
/* The text of a STRING, BYTES or PROBE field; n is 0 for the others. */
struct base_span fmt_field_text(const struct fmt *f, const struct abi_field *d,
				const uint8_t *base);
/* The address of an INT, SYM, USYM ... field. */
uint64_t fmt_field_addr(const struct abi_field *d, const uint8_t *base);
/* Are the n bytes text from the start on, and nothing but zeros behind it? */
bool fmt_is_padded_text(const uint8_t *p, size_t n);
/* The same, and there is a zero. */
bool fmt_bytes_are_text(const uint8_t *p, size_t n);
/* The i-th word of a stack or user address; 0 behind the last. */
uint64_t fmt_field_word(const struct abi_field *d, const uint8_t *base,
			uint32_t i);
/* Does the field begin with a pid? */
bool fmt_is_user(const struct abi_field *d);
/* The place of frame no (0..) of a STACK or USTACK; false: there are fewer. */
bool fmt_find_frame(const struct fmt *f, const struct abi_field *d,
		    const uint8_t *base, unsigned no, struct sym_place *ret);
/* The place of an address that the field holds.  Without names, and where the
 * user wants none, a place is a number. */
void fmt_find_place(const struct fmt *f, const struct abi_field *d,
		    const uint8_t *base, uint64_t addr,
		    struct sym_place *ret);
/* An address that came as a plain number: of the kernel, or of the process that
 * -c or -p named. */
void fmt_plain_address(const struct fmt *f, uint64_t addr, bool user,
		       struct sb *b);
/* The name of an address field that is no INT, or its number while it has
 * none. */
void fmt_symbol(const struct fmt *f, const struct abi_field *d,
		const uint8_t *base, struct sb *b);

/* --- num.c -------------------------------------------------------------- */

struct fmt_number {
	uint32_t flags;		/* enum pfmt_flag; those without a meaning for
				 * the letter are ignored */
	int width;		/* <= 0: none */
	int prec;		/* -1: none */
	char letter;		/* d i u o x X */
	bool is_unsigned;	/* d, i: the value is a uint64_t */
};

void fmt_put_number(const struct fmt_number *as, int64_t v, struct sb *b);
/* For C's printf: "%", flags, "*.*", size, letter. */
void fmt_c_format(char out[24], uint32_t flags, const char *size, char letter);

/* --- print.c ------------------------------------------------------------ */

/* print(): a of a record that ran; the text ends with a newline. */
void fmt_print(const struct fmt *f, const struct abi_action *a,
	       const struct abi_field *fields, const uint8_t *base,
	       struct sb *b);

/* --- jprint.c ----------------------------------------------------------- */

struct fmt_j;
/* The same as an object. */
void fmt_j_print(const struct fmt *f, const struct abi_action *a,
		 const struct abi_field *fields, const uint8_t *base,
		 struct fmt_j *j);

/* --- time.c ------------------------------------------------------------- */

void fmt_time(int64_t ns, struct sb *b);		/* %Y */
void fmt_time_zone(int64_t ns, struct sb *b);		/* %T */

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * JSON, written piece by piece.  Commas come by themselves.
 */
#ifndef FMT_JTEXT_H
#define FMT_JTEXT_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "util/sb.h"

/* What is open.  A copy is a point to come back to, once b is cut to the
 * length that it had then. */
struct fmt_j {
	struct sb *b;
	uint64_t objects;	/* bit n: the n-th that is open is an object */
	unsigned depth;		/* 64 at most */
	bool comma;		/* before what comes next */
};

void fmt_j_open(struct fmt_j *j, bool object);
void fmt_j_close(struct fmt_j *j);
/* The comma, if any, that is due before text that the caller writes. */
void fmt_j_next(struct fmt_j *j);
void fmt_j_int(struct fmt_j *j, int64_t v);
void fmt_j_uint(struct fmt_j *j, uint64_t v);
/* What C's %g has printed.  JSON has no NaN: that and the infinities become
 * strings, "NaN", "Infinity", "-Infinity". */
void fmt_j_float(struct fmt_j *j, const char *text);
/* n bytes as a string; false when they are not UTF-8: then each byte that is
 * none is U+FFFD. */
bool fmt_j_text(struct fmt_j *j, const char *p, size_t n);
/* The same as a member, with another, NAME-hex, when they are not UTF-8. */
void fmt_j_member(struct fmt_j *j, const char *name, const char *p, size_t n);
/* Bytes as a string of two hexadecimal digits each. */
void fmt_j_hex(struct fmt_j *j, const void *p, size_t n);
/* Text that is one or more values, or members, already. */
void fmt_j_raw(struct fmt_j *j, const char *p, size_t n);

static inline void
fmt_j_key(struct fmt_j *j, const char *name)
{
	struct sb *b = j->b;

	sb_putn(b, &",\""[!j->comma], 2 - (size_t)!j->comma);
	sb_putn(b, name, strlen(name));
	sb_putn(b, "\":", 2);
	j->comma = false;
}

static inline void
fmt_j_key_int(struct fmt_j *j, const char *name, int64_t v)
{
	fmt_j_key(j, name);
	fmt_j_int(j, v);
}

static inline void
fmt_j_key_str(struct fmt_j *j, const char *name, const char *s)
{
	fmt_j_member(j, name, s, strlen(s));
}

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shell patterns.  Only a star makes a choice, and the shortest choice of the
 * latest star is always enough: what an earlier star could still give away,
 * the latest one can take instead.  So one place to come back to is kept,
 * never a stack, and the work is at most strlen(pattern) * strlen(s) steps.
 *
 * Two patterns meet when some name matches both.  What is left of one and what
 * is left of the other meet if their first elements share a byte and the rest
 * meets; a star may also stand for nothing, or take an element of the other and
 * stay.  That is a table of strlen(a) * strlen(b) bits, made from its end.
 */
#include <string.h>

#include "probe/probe.h"

/*
 * Match c against the set behind a '['.  Returns what follows its ']', or
 * NULL when there is no ']'; *hit says whether c is in the set.  A ']' right
 * at the start is a member.
 */
static const char *
match_set(const char *p, unsigned char c, bool *hit)
{
	bool negate = *p == '!';
	bool found = false;

	p += negate;
	for (bool first = true; first || *p != ']'; first = false) {
		if (*p == '\\' && p[1])
			p++;
		if (!*p)
			return NULL;
		unsigned char low = (unsigned char)*p++, high = low;
		if (*p == '-' && p[1] && p[1] != ']') {
			p += 1 + (p[1] == '\\' && p[2]);
			high = (unsigned char)*p++;
		}
		found |= low <= c && c <= high;
	}
	*hit = found != negate;
	return p + 1;
}

/* Match one byte c against the element at p (no star); the rest of the
 * pattern, or NULL when c does not match. */
static const char *
match_one(const char *p, unsigned char c)
{
	const char *rest;
	bool hit;

	if (*p == '?')
		return p + 1;
	if (*p == '[' && (rest = match_set(p + 1, c, &hit)))
		return hit ? rest : NULL;
	if (*p == '\\' && p[1])
		p++;
	return (unsigned char)*p == c ? p + 1 : NULL;
}

bool
probe_glob_match(const char *pattern, const char *s)
{
	const char *p = pattern;
	const char *star = NULL, *from = NULL;	/* where to come back to */

	if (!*p)
		return true;
	while (*s) {
		if (*p == '*') {
			star = ++p;
			from = s;
			continue;
		}
		const char *next = *p ? match_one(p, (unsigned char)*s) : NULL;
		if (next) {
			p = next;
			s++;
		} else if (star) {
			p = star;
			s = ++from;
		} else {
			return false;
		}
	}
	while (*p == '*')
		p++;
	return !*p;
}

bool
probe_has_glob(const char *pattern)
{
	return strpbrk(pattern, "*?[\\") != NULL;
}

/* --- Two patterns --------------------------------------------------------- */

enum { MAX_ELEMENTS = PROBE_FUNCLEN };

static const char *
element_end(const char *p)
{
	const char *rest;
	bool hit;

	if (*p == '[' && (rest = match_set(p + 1, 0, &hit)))
		return rest;
	return p + 1 + (*p == '\\' && p[1]);
}

/* Where the elements of the pattern start; 0 when there are more than
 * MAX_ELEMENTS. */
static unsigned
split(const char *pattern, const char *ret[MAX_ELEMENTS])
{
	unsigned n = 0;

	for (const char *p = pattern; *p; n++) {
		if (n == MAX_ELEMENTS)
			return 0;
		ret[n] = p;
		p = element_end(p);
	}
	return n;
}

/* Whether one byte matches both elements, none of which is a star. */
static bool
share_byte(const char *a, const char *b)
{
	for (unsigned c = 1; c < 256; c++)
		if (match_one(a, (unsigned char)c) &&
		    match_one(b, (unsigned char)c))
			return true;
	return false;
}

bool
probe_globs_meet(const char *a, const char *b)
{
	const char *as[MAX_ELEMENTS], *bs[MAX_ELEMENTS];
	bool rows[2][MAX_ELEMENTS + 1];

	if (!*a || !*b)
		return true;
	if (!probe_has_glob(a))
		return probe_glob_match(b, a);
	if (!probe_has_glob(b))
		return probe_glob_match(a, b);
	unsigned na = split(a, as), nb = split(b, bs);
	if (!na || !nb)
		return true;
	/* rows[i % 2][j]: what is left of a from i on meets what is left of b
	 * from j on. */
	for (unsigned i = na + 1; i-- > 0;) {
		bool *row = rows[i % 2], *next = rows[(i + 1) % 2];
		for (unsigned j = nb + 1; j-- > 0;) {
			bool left = i < na && j < nb;
			if ((i < na && *as[i] == '*') ||
			    (j < nb && *bs[j] == '*'))
				row[j] = (i < na && next[j]) ||
					 (j < nb && row[j + 1]);
			else
				row[j] = left ? next[j + 1] &&
						share_byte(as[i], bs[j])
					      : i == na && j == nb;
		}
	}
	return rows[0][0];
}

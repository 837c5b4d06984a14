/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Shell patterns.  Only a star makes a choice, and the shortest choice of the
 * latest star is always enough: what an earlier star could still give away,
 * the latest one can take instead.  So one place to come back to is kept,
 * never a stack, and the work is at most strlen(pattern) * strlen(s) steps.
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

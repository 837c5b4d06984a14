/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The types of a probe's arguments, of which only sizes and signs matter here.
 */
#include <ctype.h>
#include <string.h>

#include "usdt/usdt_priv.h"

static const struct { const char *name; signed char size; } named[] = {
	{ "int8_t", -1 }, { "int16_t", -2 }, { "int32_t", -4 }, { "int64_t", -8 },
	{ "uint8_t", 1 }, { "uint16_t", 2 }, { "uint32_t", 4 }, { "uint64_t", 8 },
	{ "size_t", 8 }, { "ssize_t", -8 }, { "uintptr_t", 8 },
	{ "intptr_t", -8 }, { "pid_t", -4 }, { "uid_t", 4 }, { "gid_t", 4 },
	{ "string", 8 },
};

/* The words of one type that is no pointer; 0: none that we know. */
static int
size_of(const char *p, const char *end)
{
	int n = 0, nlong = 0, sign = 0, size = 0;

	for (;; n++) {
		while (p < end && isspace((unsigned char)*p))
			p++;
		const char *word = p;
		while (p < end && (isalnum((unsigned char)*p) || *p == '_'))
			p++;
		size_t len = (size_t)(p - word);
		if (!len)
			break;
#define IS(text) (len == sizeof(text) - 1 && !memcmp(word, text, len))
		for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++)
			if (strlen(named[i].name) == len &&
			    !memcmp(named[i].name, word, len))
				return p == end && !n ? named[i].size : 0;
		if (IS("long"))
			nlong++;
		else if (IS("unsigned") || IS("signed"))
			sign += *word == 'u' ? 1 : 100;
		else if (IS("char") || IS("short"))
			size = size ? 99 : *word == 'c' ? 1 : 2;
		else if (!IS("int"))
			return 0;
#undef IS
	}
	if (p != end || !n || size == 99 || nlong > 2 || (nlong && size) ||
	    (sign != 0 && sign != 1 && sign != 100))
		return 0;
	size = nlong ? 8 : size ? size : 4;
	return sign == 1 ? size : -size;
}

bool
usdt_types(struct dtrace_usdt_probe *p)
{
	const char *s = p->types;

	while (isspace((unsigned char)*s))
		s++;
	if (!*s || !strcmp(s, "void"))
		return true;
	for (;; s++) {
		const char *end = s + strcspn(s, ",");
		const char *last = end;
		while (last > s && isspace((unsigned char)last[-1]))
			last--;
		int size = last > s && last[-1] == '*' ? 8 : size_of(s, last);
		if (!size || p->nargs == DTRACE_USDT_NARGS)
			return false;
		p->size[p->nargs++] = (signed char)size;
		s = end;
		if (!*s)
			return true;
	}
}

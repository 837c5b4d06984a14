/* SPDX-License-Identifier: BSD-2-Clause
 *
 * json(): one value out of a document.
 *
 * The document is read from its start.  Along the selected path a container
 * is gone through member by member; every other value is skipped, which takes
 * a byte of memory for each level that is open, not a call, since nothing
 * here may use the stack as the document pleases.  Functions that read a part
 * of a document return where it ends, NULL when it is not JSON; documents
 * end in a NUL, which nothing in them may be.
 */
#include "vm/vm_priv.h"

/* --- Selectors: names and numbers, which dots and brackets separate -------- */

struct key {
	const char *p;
	uint32_t n;
};

static bool
is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool
is_name_byte(char c)
{
	return c && c != '.' && c != '[' && c != ']';
}

/* Take the next key off *sel; false when none stands there. */
static bool
next_key(const char **sel, bool first, struct key *ret)
{
	bool index = **sel == '[';
	const char *p = *sel;

	if (index || (!first && *p == '.'))
		p++;
	else if (!first)
		return false;
	*ret = (struct key){ p, 0 };
	while (index ? is_digit(p[ret->n]) : is_name_byte(p[ret->n]))
		ret->n++;
	p += ret->n;
	if (!ret->n || (index && *p++ != ']'))
		return false;
	*sel = p;
	return true;
}

static bool
selector_ok(const char *sel)
{
	bool first = true;
	struct key key;

	do {
		if (!next_key(&sel, first, &key))
			return false;
		first = false;
	} while (*sel);
	return true;
}

/* Which element of an array a key is, -1: none can be. */
static int64_t
key_index(const struct key *key)
{
	int64_t v = 0;

	if (key->n > 8)
		return -1;
	for (uint32_t i = 0; i < key->n; i++) {
		if (!is_digit(key->p[i]))
			return -1;
		v = v * 10 + (key->p[i] - '0');
	}
	return v;
}

/* --- Documents ------------------------------------------------------------ */

static const char *
blanks(const char *p)
{
	while (*p == ' ' || *p == '\t' || *p == '\n' || *p == '\r')
		p++;
	return p;
}

static bool
is_hex(char c)
{
	return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

static bool
is_one_of(char c, const char *set)
{
	for (; *set; set++)
		if (*set == c)
			return true;
	return false;
}

/* Behind the backslash. */
static const char *
escape(const char *p)
{
	if (*p != 'u')
		return is_one_of(*p, "\"\\/bfnrt") ? p + 1 : NULL;
	p++;
	for (int i = 0; i < 4; i++)
		if (!is_hex(*p++))
			return NULL;
	return p;
}

static const char *
string(const char *p)
{
	if (*p++ != '"')
		return NULL;
	while (p && *p != '"') {
		if ((unsigned char)*p < ' ')
			return NULL;
		p = *p == '\\' ? escape(p + 1) : p + 1;
	}
	return p ? p + 1 : NULL;
}

/* A string and the colon behind it. */
static const char *
name(const char *p)
{
	p = string(p);
	if (!p)
		return NULL;
	p = blanks(p);
	return *p == ':' ? blanks(p + 1) : NULL;
}

static const char *
digits(const char *p)
{
	if (!is_digit(*p))
		return NULL;
	while (is_digit(*p))
		p++;
	return p;
}

static const char *
number(const char *p)
{
	p += *p == '-';
	p = *p == '0' ? p + 1 : digits(p);
	if (p && *p == '.')
		p = digits(p + 1);
	if (p && (*p == 'e' || *p == 'E')) {
		p++;
		p += *p == '+' || *p == '-';
		p = digits(p);
	}
	return p;
}

static const char *
word(const char *p)
{
	static const char *const words[] = { "true", "false", "null" };

	for (unsigned i = 0; i < BASE_NELEMS(words); i++) {
		const char *w = words[i], *q = p;
		while (*w && *q == *w)
			w++, q++;
		if (!*w)
			return q;
	}
	return NULL;
}

/* What is no container.  Numbers and words end where something else may
 * begin. */
static const char *
scalar(const char *p)
{
	if (*p == '"')
		return string(p);
	p = *p == '-' || is_digit(*p) ? number(p) : word(p);
	return p && is_one_of(*p, " \t\n\r,]}") ? p : NULL;
}

/* A value of any kind.  open: room for what can be open at a time. */
static const char *
value(const char *p, char *open)
{
	uint32_t depth = 0;

	for (;;) {
		if (*p == '{' || *p == '[') {
			char close = *p == '{' ? '}' : ']';
			open[depth++] = close;
			p = blanks(p + 1);
			if (*p != close) {
				p = close == '}' ? name(p) : p;
				if (!p)
					return NULL;
				continue;
			}
		} else {
			p = scalar(p);
			if (!p || !depth)
				return p;
			p = blanks(p);
		}
		while (depth && *p == open[depth - 1]) {
			p++;
			if (!--depth)
				return p;
			p = blanks(p);
		}
		if (*p != ',')
			return NULL;
		p = blanks(p + 1);
		p = open[depth - 1] == '}' ? name(p) : p;
		if (!p)
			return NULL;
	}
}

static bool
is_named(const char *p, const struct key *key)
{
	return string(p) == p + key->n + 2 && !memcmp(p + 1, key->p, key->n);
}

/* The value of key in the container at p; NULL when there is none. */
static const char *
member(const char *p, const struct key *key, char *open)
{
	char close = *p == '{' ? '}' : ']';
	int64_t left = key_index(key);

	if (*p != '{' && *p != '[')
		return NULL;
	p = blanks(p + 1);
	if (*p == close)
		return NULL;
	for (;;) {
		bool found = close == ']' && left-- == 0;
		if (close == '}') {
			const char *start = p;
			p = name(p);
			found = p && is_named(start, key);
		}
		if (!p || found)
			return p;
		p = value(p, open);
		if (!p)
			return NULL;
		p = blanks(p);
		if (*p != ',')
			return NULL;
		p = blanks(p + 1);
	}
}

bool
vm_subr_JSON(struct vm *vm, const struct vm_arg *args, unsigned nargs,
	     uint64_t *ret)
{
	const char *p = blanks(args[0].s), *sel = args[1].s, *end = NULL;
	char *open = vm_tmp(vm, 2);
	bool first = true;
	struct key key;

	*ret = 0;
	if (!selector_ok(sel))
		return true;
	for (; p && *sel; first = false) {
		next_key(&sel, first, &key);
		p = member(p, &key, open);
	}
	if (p)
		end = value(p, open);
	if (!end)
		return true;
	if (*p == '"')		/* without the quotes */
		return vm_return_string(vm, p + 1, end - p - 2, ret);
	return vm_return_string(vm, p, end - p, ret);
}

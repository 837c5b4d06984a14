/* SPDX-License-Identifier: BSD-2-Clause
 *
 * /proc/kallsyms to a table.  A line is
 *
 *	ffffffff81000000 T _stext
 *	ffffffffc0201000 t do_it	[module]
 *
 * The file is read whole and the names are moved to the front of the buffer
 * as the lines are parsed: a name plus its NUL is always shorter than its
 * line, so writing never overtakes reading, and half of the memory can be
 * given back.  122,000 lines, 5.4 MB: reading takes 48 ms, all of it the
 * kernel's; parsing takes 10.
 *
 * Several names may have one address.  Functions beat weak symbols and data,
 * global ones local ones, and fewer leading underscores more; the first in the
 * file wins among equals.  Where a call has one function for programs of 64 bits and
 * of 32, it is known as that of 64.  Lines that make no sense are skipped; absolute
 * and per-CPU symbols (a, A) are not addresses and skipped too.
 */
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sym/sym_priv.h"
#include "sym/text_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

enum {
	FIRST_SIZE = 8 << 20, MAX_SIZE = 1 << 30,
	READS = 32,		/* of a page each: about a millisecond */
};

struct text {
	char *p;
	size_t size, room;
};

/* The whole file, with one byte of room behind it. */
static struct err *
read_file(const char *path, struct text *t, struct ksyms_meanwhile meanwhile)
{
	CLEANUP(util_closep) int fd = open(path, O_RDONLY | O_CLOEXEC);

	unsigned reads = 0;

	if (fd < 0)
		return err_new(ERR_OS, errno, "%s: %s", path, strerror(errno));
	for (;;) {
		if (t->size + 1 >= t->room) {
			size_t room = t->room ? t->room * 2 : FIRST_SIZE;
			if (room > MAX_SIZE)
				return err_new(ERR_LIMIT, 0, "%s: too large",
					       path);
			char *p = util_realloc(t->p, room);
			if (!p)
				return &err_nomem;
			t->p = p;
			t->room = room;
		}
		ssize_t n = read(fd, t->p + t->size, t->room - t->size - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_new(ERR_OS, errno, "%s: %s", path,
				       strerror(errno));
		if (n == 0)
			return NULL;
		t->size += (size_t)n;
		if (meanwhile.fn && ++reads % READS == 0)
			meanwhile.fn(meanwhile.ctx);
	}
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return -1;
}

/* Move *p behind a number and its space; false when there is none. */
static bool
parse_addr(const char **p, uint64_t *ret)
{
	const char *s = *p;
	int d;

	for (*ret = 0; (d = hex_digit(*s)) >= 0 && s - *p < 16; s++)
		*ret = *ret << 4 | (uint64_t)d;
	if (s == *p || *s != ' ')
		return false;
	*p = s + 1;
	return true;
}

static uint8_t
rank_of(char type, const char *name)
{
	static const char order[] = "TtWw";	/* then data */
	const char *at = strchr(order, type);
	uint8_t rank = (uint8_t)(at ? at - order : 4) * 16;

	return (uint8_t)(rank + (strncmp(name, "__ia32_", 7) == 0 ? 15 :
			 sym_underscores(name)));
}

/* Constants and what is weak may lie anywhere. */
static uint8_t
part_of(char type)
{
	return strchr("Tt", type) ? SYM_TEXT : strchr("Dd", type) ? SYM_DATA :
	       strchr("Bb", type) ? SYM_BSS : SYM_NPARTS;
}

struct parse {
	struct ksyms *ks;
	char *out;		/* where the next name goes */
	uint16_t last_module;	/* most symbols share their neighbour's */
	bool any;		/* a symbol was seen, hidden or not */
};

static uint32_t
keep(struct parse *p, const char *s, size_t n)
{
	uint32_t at = (uint32_t)(p->out - p->ks->names);

	assert(p->out <= s);		/* writing does not overtake reading */
	memmove(p->out, s, n);
	p->out[n] = '\0';
	p->out += n + 1;
	return at;
}

static bool
is_module(const struct ksyms *ks, uint16_t i, const char *s, size_t n)
{
	const char *have = ks->names + ks->modules.v[i];

	return i && strncmp(have, s, n) == 0 && !have[n];
}

/* The index of the module whose name is s, made if need be. */
static struct err *
module_index(struct parse *p, const char *s, size_t n, uint16_t *ret)
{
	struct ksyms *ks = p->ks;

	*ret = p->last_module;
	if (is_module(ks, *ret, s, n))
		return NULL;
	for (*ret = 1; *ret < ks->modules.n; ++*ret)
		if (is_module(ks, *ret, s, n))
			break;
	if (*ret == UINT16_MAX)
		return err_new(ERR_LIMIT, 0, "more than %d kernel modules",
			       UINT16_MAX - 1);
	if (*ret == ks->modules.n &&
	    !vec_push(&ks->modules, keep(p, s, n)))
		return &err_nomem;
	p->last_module = *ret;
	return NULL;
}

/* Behind the name: "\t[module]", or nothing. */
static struct err *
parse_module(struct parse *p, const char *s, const char *end, uint16_t *ret)
{
	*ret = 0;
	while (s < end && (*s == '\t' || *s == ' '))
		s++;
	if (end - s < 3 || *s != '[' || end[-1] != ']')
		return NULL;
	return module_index(p, s + 1, (size_t)(end - s - 2), ret);
}

/* The line from s to end, where a newline was. */
static struct err *
parse_line(struct parse *p, const char *s, const char *end)
{
	struct ksym k;

	if (!parse_addr(&s, &k.addr) || end - s < 3 || s[1] != ' ')
		return NULL;
	char type = s[0];
	k.part = part_of(type);
	s += 2;
	size_t n = 0;
	while (s + n < end && s[n] != '\t' && s[n] != ' ')
		n++;
	if (!n || memchr(s, '\0', n) || strchr("aAU", type))
		return NULL;
	p->any = true;
	if (!k.addr)
		return NULL;
	k.rank = rank_of(type, s);
	/* The name goes in first: it may lie where the module's will. */
	const char *rest = s + n;
	k.name = keep(p, s, n);
	TRY(parse_module(p, rest, end, &k.module));
	return vec_push(&p->ks->all, k) ? NULL : &err_nomem;
}

static struct err *
parse_text(struct parse *p, char *s, char *end)
{
	while (s < end) {
		char *nl = memchr(s, '\n', (size_t)(end - s));
		if (!nl)
			nl = end;
		TRY(parse_line(p, s, nl));
		s = nl + 1;
	}
	return NULL;
}

static int
by_addr(const void *x, const void *y)
{
	const struct ksym *a = x, *b = y;

	if (a->addr != b->addr)
		return a->addr < b->addr ? -1 : 1;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->name < b->name ? -1 : a->name > b->name;
}

static void
sort(struct ksyms *ks)
{
	for (size_t i = 1; i < ks->all.n; i++) {
		if (by_addr(&ks->all.v[i - 1], &ks->all.v[i]) > 0) {
			qsort(ks->all.v, ks->all.n, sizeof(*ks->all.v),
			      by_addr);
			return;
		}
	}
}

/* The table is sorted, so the first of a module is its lowest. */
static bool
find_starts(struct ksyms *ks)
{
	if (!vec_reserve(&ks->starts, ks->modules.n))
		return false;
	for (size_t i = 0; i < ks->modules.n; i++)
		vec_push(&ks->starts, UINT64_MAX);
	for (size_t i = 0; i < ks->all.n; i++) {
		const struct ksym *k = &ks->all.v[i];
		if (ks->starts.v[k->module] == UINT64_MAX)
			ks->starts.v[k->module] = k->addr;
	}
	return true;
}

static struct err *
make_table(struct ksyms *ks, const char *path,
	   struct ksyms_meanwhile meanwhile)
{
	struct text t = { 0 };
	struct err *e = read_file(path, &t, meanwhile);

	ks->names = t.p;
	if (e)
		return e;
	t.p[t.size] = '\n';
	struct parse p = { .ks = ks, .out = t.p };
	if (!vec_push(&ks->modules, 0))
		return &err_nomem;
	TRY(parse_text(&p, t.p, t.p + t.size));
	if (!p.any)
		return err_new(ERR_FORMAT, 0, "%s: no symbols", path);
	ks->hidden = !ks->all.n;
	char *less = util_realloc(ks->names, (size_t)(p.out - t.p) + 1);
	if (less)
		ks->names = less;
	sort(ks);
	return find_starts(ks) ? NULL : &err_nomem;
}

void
sym_ksyms_fini(struct ksyms *ks)
{
	vec_fini(&ks->all);
	vec_fini(&ks->modules);
	vec_fini(&ks->starts);
	util_free(ks->names);
	ks->names = NULL;
}

struct err *
sym_ksyms_read(struct ksyms *ks, const char *path,
	       struct ksyms_meanwhile meanwhile)
{
	*ks = (struct ksyms){ 0 };
	struct err *e = make_table(ks, path, meanwhile);

	if (e)
		sym_ksyms_fini(ks);
	return e;
}

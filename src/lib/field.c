/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Fields: values of records and keys of aggregations.
 */
#include <stdlib.h>
#include <string.h>

#include "abi/mapped.h"
#include "lib/event_priv.h"
#include "sym/names.h"
#include "sym/sym.h"

/* Is the bit of the kind in a set? */
#define IS(f, set)	((set) >> (f)->kind & 1)
enum {
	STACKS = 1 << ABI_FIELD_STACK | 1 << ABI_FIELD_USTACK,
	USERS = 1 << ABI_FIELD_USTACK | 1 << ABI_FIELD_USYM |
		1 << ABI_FIELD_UMOD | 1 << ABI_FIELD_UADDR,
	SYMBOLS = 1 << ABI_FIELD_SYM | 1 << ABI_FIELD_MOD |
		  1 << ABI_FIELD_USYM | 1 << ABI_FIELD_UMOD |
		  1 << ABI_FIELD_UADDR,
	MODULES = 1 << ABI_FIELD_MOD | 1 << ABI_FIELD_UMOD,
};

PUBLIC dtrace_fieldkind_t
dtrace_field_kind(const dtrace_field_t *f)
{
	if (!f->d)
		return DTRACE_FIELD_AGG;
	return fmt_is_float(f->d) ? DTRACE_FIELD_FLOAT : lib_field_kind(f->d);
}

/* The i-th word of the bytes; 0 behind the last. */
static uint64_t
word(const dtrace_field_t *f, uint32_t i)
{
	uint64_t v = 0;

	if (i < f->d->size / sizeof(v))
		memcpy(&v, f->base + f->d->offset + i * sizeof(v), sizeof(v));
	return v;
}

/* A user's address stands behind its pid. */
static uint64_t
address(const dtrace_field_t *f, uint32_t i)
{
	return word(f, i + IS(f->d, USERS));
}

PUBLIC uint64_t
dtrace_field_uint(const dtrace_field_t *f)
{
	switch (dtrace_field_kind(f)) {
	case DTRACE_FIELD_INT: return fmt_field_int(f->d, f->base).v;
	case DTRACE_FIELD_FLOAT: return (uint64_t)dtrace_field_float(f);
	default: return f->d && IS(f->d, SYMBOLS) ? address(f, 0) : 0;
	}
}

PUBLIC int64_t
dtrace_field_int(const dtrace_field_t *f)
{
	if (dtrace_field_kind(f) == DTRACE_FIELD_FLOAT)
		return (int64_t)dtrace_field_float(f);
	return (int64_t)dtrace_field_uint(f);
}

PUBLIC int
dtrace_field_signed(const dtrace_field_t *f)
{
	return f->d && f->d->is_signed;
}

PUBLIC double
dtrace_field_float(const dtrace_field_t *f)
{
	struct fmt_int n;

	if (dtrace_field_kind(f) == DTRACE_FIELD_FLOAT)
		return (double)fmt_field_float(f->d, f->base);
	if (dtrace_field_kind(f) != DTRACE_FIELD_INT)
		return 0;
	n = fmt_field_int(f->d, f->base);
	return n.is_signed ? (double)(int64_t)n.v : (double)n.v;
}

static struct base_span
bytes(const dtrace_field_t *f)
{
	if (!f->d)
		return (struct base_span){ "", 0 };
	if (f->d->kind == ABI_FIELD_STRING || f->d->kind == ABI_FIELD_PROBE)
		return lib_field_string(session_meta(f->h->s), f->d, f->base);
	return (struct base_span){ (const char *)f->base + f->d->offset,
				   f->d->size };
}

PUBLIC const void *
dtrace_field_bytes(const dtrace_field_t *f, size_t *size)
{
	struct base_span s = bytes(f);

	if (size)
		*size = s.n;
	return s.p;
}

PUBLIC pid_t
dtrace_field_pid(const dtrace_field_t *f)
{
	if (!f->d || !IS(f->d, STACKS | SYMBOLS))
		return -1;
	return IS(f->d, USERS) ? (pid_t)word(f, 0) : 0;
}

static unsigned
count_addresses(const dtrace_field_t *f)
{
	unsigned n = 0;

	while (address(f, n))
		n++;
	return n;
}

/* Does a stack end with the mark for frames that may be missing? */
static bool
is_blind(const dtrace_field_t *f)
{
	return f->d->kind == ABI_FIELD_USTACK && word(f, 0) & ABI_USTACK_BLIND;
}

PUBLIC unsigned int
dtrace_field_nframes(const dtrace_field_t *f)
{
	if (!f->d || !IS(f->d, STACKS | SYMBOLS))
		return 0;
	if (!IS(f->d, STACKS))
		return 1;
	unsigned n = count_addresses(f);
	return n + (n && is_blind(f));
}

/* The option noresolve leaves addresses as they are. */
static void
find_frame(const dtrace_field_t *f, unsigned i, struct sym_place *ret)
{
	struct sym_names *names = session_names(f->h->s);
	uint64_t pc = address(f, i);
	int pid = (int)dtrace_field_pid(f);

	if (IS(f->d, STACKS) && !pc)
		*ret = (struct sym_place){ .function = "[by frame pointer]" };
	else if (session_opts(f->h->s)->v[OPT_NORESOLVE] > 0)
		*ret = (struct sym_place){ .addr = pc, .module_start = pc };
	else if (IS(f->d, STACKS))
		sym_names_frame(names, pid, pc, i ? address(f, i - 1) : 0, ret);
	else if (IS(f->d, USERS))
		sym_names_user(names, pid, pc, ret);
	else
		sym_names_kernel(names, pc, ret);
}

PUBLIC int
dtrace_field_frame(const dtrace_field_t *f, unsigned int i,
		   dtrace_frame_t *ret)
{
	struct sym_place p;

	if (i >= dtrace_field_nframes(f))
		return -1;
	find_frame(f, i, &p);
	*ret = (dtrace_frame_t){ p.addr, p.module, p.function, p.offset };
	return 0;
}

PUBLIC const dtrace_agg_t *
dtrace_field_agg(const dtrace_field_t *f)
{
	return f->agg;
}

/* --- As text --------------------------------------------------------------------- */

static void
put_number(const dtrace_field_t *f, struct sb *b)
{
	struct fmt_int n = fmt_field_int(f->d, f->base);

	if (n.is_signed)
		sb_dec(b, (int64_t)n.v, 0);
	else
		sb_printf(b, "%llu", (unsigned long long)n.v);
}

static void
put_frames(const dtrace_field_t *f, struct sb *b)
{
	for (unsigned i = 0; i < dtrace_field_nframes(f); i++) {
		struct sym_place p, one;
		find_frame(f, i, &p);
		for (size_t k = 0; sym_place_unfold(&p, k, &one); k++) {
			sb_puts(b, i || k ? "\n" : "");
			sym_place_print(&one, b);
		}
	}
}

/* As much of a place as the kind of the field means. */
static void
put_symbol(const dtrace_field_t *f, struct sb *b)
{
	struct sym_place p;

	find_frame(f, 0, &p);
	if (IS(f->d, MODULES) && p.module) {
		sb_puts(b, p.module);
		return;
	}
	if (p.function && f->d->kind != ABI_FIELD_UADDR)
		p.offset = 0;
	sym_place_print(&p, b);
}

static void
put_bytes(struct base_span s, struct sb *b)
{
	for (size_t i = 0; i < s.n; i++)
		sb_printf(b, "%02x", (uint8_t)s.p[i]);
}

static void
put_field(const dtrace_field_t *f, struct sb *b)
{
	struct base_span s = bytes(f);
	char number[64];

	switch (dtrace_field_kind(f)) {
	case DTRACE_FIELD_INT: put_number(f, b); break;
	case DTRACE_FIELD_FLOAT:
		fmt_float_text(f->d, f->base, number);
		sb_puts(b, number);
		break;
	case DTRACE_FIELD_STRING: sb_putn(b, s.p, s.n); break;
	case DTRACE_FIELD_BYTES: put_bytes(s, b); break;
	case DTRACE_FIELD_STACK:
	case DTRACE_FIELD_USTACK: put_frames(f, b); break;
	case DTRACE_FIELD_AGG:
		sb_printf(b, "@%s", f->agg ? dtrace_agg_name(f->agg) : "");
		break;
	default: put_symbol(f, b);
	}
}

PUBLIC char *
dtrace_field_text(const dtrace_field_t *f)
{
	struct sb b;
	char *text;

	sb_init(&b, 1u << 30);
	put_field(f, &b);
	text = b.failed ? NULL : strdup(sb_str(&b));
	sb_fini(&b);
	if (!text)
		lib_fail(f->h, &err_nomem);
	return text;
}

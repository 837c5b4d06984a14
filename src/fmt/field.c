/* SPDX-License-Identifier: BSD-2-Clause
 *
 * One value, as trace() prints it and as it stands in the tuple of a key.
 * Integers have a column as wide as their size needs, and the sign of their
 * type, but those of one and two bytes have none in a key.
 */
#include <float.h>
#include <stdlib.h>
#include <string.h>

#include "abi/mapped.h"
#include "fmt/field_priv.h"
#include "fmt/format_priv.h"
#include "sym/names.h"
#include "util/alloc.h"
#include "util/number.h"

/* Columns by size of integer. */
static const unsigned int_widths[] = { [1] = 3, [2] = 5, [4] = 8, [8] = 16 };

/* Columns of text and of symbols; what is longer takes more.  0: as wide as the
 * text is, and no blanks before it. */
static const struct { size_t text, symbol; } widths[] = {
	[FMT_TRACE] = { 33, 50 }, [FMT_QUIET] = { 0, 50 },
	[FMT_KEY] = { 50, 50 }, [FMT_BARE] = { 0, 0 },
};

static void
put_column(const struct fmt *f, struct base_span s, size_t width, struct sb *b)
{
	if (width)
		sb_putn(b, "  ", 2);
	size_t start = b->len;
	fmt_put_data(f, s.p, s.n, b);
	if (b->len - start < width)
		sb_fill(b, ' ', width - (b->len - start));
}

static void
put_text(const struct fmt *f, struct base_span s, enum fmt_place place,
	 struct sb *b)
{
	put_column(f, s, widths[place].text, b);
}

/* Are numbers in columns there? */
static bool
in_columns(enum fmt_place place)
{
	return place == FMT_TRACE || place == FMT_KEY;
}

struct fmt_int
fmt_field_int(const struct abi_field *d, const uint8_t *base)
{
	uint64_t v = (uint64_t)consume_field_int(d, base), low, extended;
	struct fmt_int ret = { .v = v, .bytes = d->size,
			       .is_signed = d->is_signed };
	unsigned bits = ABI_INT_BYTES(d->sub) * 8;

	if (!ABI_INT_COLUMNS(d->sub))
		return ret;
	low = v & ((1ULL << bits) - 1);
	extended = (uint64_t)base_sext(low, bits);
	/* -1 of an unsigned type is its largest number. */
	if (v == extended || (!d->is_signed && v == low)) {
		ret.bytes = bits / 8;
		ret.v = d->is_signed ? v : low;
	}
	return ret;
}

static bool
put_int(const struct abi_field *d, const uint8_t *base, enum fmt_place place,
	struct sb *b)
{
	uint32_t columns = ABI_INT_COLUMNS(d->sub);
	uint32_t size = columns ? columns : d->size;
	struct fmt_int n;

	if (size >= BASE_NELEMS(int_widths) || !int_widths[size])
		return false;
	n = fmt_field_int(d, base);
	/* Users have scripts that rely on it. */
	if (place == FMT_KEY && d->size <= 2) {
		n.v &= (1ULL << d->size * 8) - 1;
		n.is_signed = false;
	}
	if (in_columns(place))
		sb_putc(b, ' ');
	unsigned width = in_columns(place) ? int_widths[size] : 0;
	if (n.is_signed || n.v <= INT64_MAX)
		sb_dec(b, (int64_t)n.v, width);
	else
		sb_printf(b, "%*llu", (int)width, (unsigned long long)n.v);
	return true;
}

/* --- Floating point ----------------------------------------------------- */

bool
fmt_is_float(const struct abi_field *d)
{
	return d->sub == ABI_MEANS_FLOAT &&
	       (d->kind == ABI_FIELD_INT || d->kind == ABI_FIELD_BYTES ||
		d->kind == ABI_FIELD_STRING);
}

static long double
constant(const struct abi_field *d, const uint8_t *base)
{
	const char *p = (const char *)base + d->offset;

	return strnlen(p, d->size) < d->size ? number_ldouble(p) : 0;
}

long double
fmt_field_float(const struct abi_field *d, const uint8_t *base)
{
	long double l = 0;
	double f64;
	float f32;

	if (fmt_is_float(d) && d->kind == ABI_FIELD_STRING)
		return constant(d, base);
	switch (d->size) {
	case sizeof(f32):
		memcpy(&f32, base + d->offset, sizeof(f32));
		return f32;
	case sizeof(f64):
		memcpy(&f64, base + d->offset, sizeof(f64));
		return f64;
	case sizeof(l):
		memcpy(&l, base + d->offset, sizeof(l));
		return l;
	default:
		return 0;
	}
}

/* Does the text stand for v, in the type that field d has? */
static bool
reads_back(const struct abi_field *d, const char *text, long double v)
{
	if (d->kind != ABI_FIELD_INT)
		return strtold(text, NULL) == v;
	return d->size == sizeof(float) ? strtof(text, NULL) == (float)v
					: strtod(text, NULL) == (double)v;
}

void
fmt_float_text(const struct abi_field *d, const uint8_t *base, char text[64])
{
	long double v = fmt_field_float(d, base);
	int digits = FLT_DIG;

	do
		snprintf(text, 64, "%.*Lg", digits, v);
	while (!reads_back(d, text, v) && ++digits <= LDBL_DECIMAL_DIG);
}

static void
put_float(const struct abi_field *d, const uint8_t *base, enum fmt_place place,
	  struct sb *b)
{
	char text[64];

	fmt_float_text(d, base, text);
	bool narrow = d->kind == ABI_FIELD_INT && d->size == sizeof(float);
	if (in_columns(place))
		sb_printf(b, " %*s", narrow ? 8 : 16, text);
	else
		sb_puts(b, text);
}

/* --- Bytes and text ----------------------------------------------------- */

bool
fmt_is_padded_text(const uint8_t *p, size_t n)
{
	size_t len = strnlen((const char *)p, n);

	for (size_t i = 0; i < len; i++)
		if (!fmt_is_text(p[i]))
			return false;
	for (size_t i = len; i < n; i++)
		if (p[i])
			return false;
	return true;
}

bool
fmt_bytes_are_text(const uint8_t *p, size_t n)
{
	return n && !p[n - 1] && fmt_is_padded_text(p, n);
}

static void
put_bytes(const struct fmt *f, const struct abi_field *d, const uint8_t *base,
	  enum fmt_place place, struct sb *b)
{
	const uint8_t *p = base + d->offset;

	if (!fmt_on(f, OPT_RAWBYTES) && fmt_bytes_are_text(p, d->size))
		put_text(f, fmt_field_text(f, d, base), place, b);
	else
		fmt_hexdump(p, d->size, b);
}

/* In hexadecimal a string is what it takes in memory: strsize bytes. */
static void
put_string(const struct fmt *f, struct base_span s, enum fmt_place place,
	   struct sb *b)
{
	size_t size = (size_t)BASE_MAX(f->opts->v[OPT_STRSIZE], 0);

	if (!fmt_on(f, OPT_RAWBYTES) || place == FMT_BARE) {
		put_text(f, s, place, b);
		return;
	}
	size = BASE_MAX(size, s.n);
	uint8_t *bytes = util_zalloc(size);
	if (!bytes) {
		b->failed = true;
		return;
	}
	memcpy(bytes, s.p, s.n);
	fmt_hexdump(bytes, size, b);
	util_free(bytes);
}

uint64_t
fmt_field_word(const struct abi_field *d, const uint8_t *base, uint32_t i)
{
	uint64_t w = 0;

	if (i < d->size / 8)
		memcpy(&w, base + d->offset + i * 8, sizeof(w));
	return w;
}

bool
fmt_is_user(const struct abi_field *d)
{
	return d->kind == ABI_FIELD_USYM || d->kind == ABI_FIELD_UMOD ||
	       d->kind == ABI_FIELD_UADDR || d->kind == ABI_FIELD_USTACK;
}

uint64_t
fmt_field_addr(const struct abi_field *d, const uint8_t *base)
{
	struct abi_field as = *d;

	if (d->kind == ABI_FIELD_INT) {
		as.is_signed = 0;
		return (uint64_t)consume_field_int(&as, base);
	}
	return fmt_field_word(d, base, fmt_is_user(d));
}

/* pid: as for sym_names_user(), when the address is of a process. */
static void
find_place(const struct fmt *f, bool user, int pid, uint64_t addr,
	   struct sym_place *ret)
{
	*ret = (struct sym_place){ .addr = addr };
	if (!f->names || (user && fmt_on(f, OPT_NORESOLVE)))
		return;
	if (user)
		sym_names_user(f->names, pid, addr, ret);
	else
		sym_names_kernel(f->names, addr, ret);
}

void
fmt_find_place(const struct fmt *f, const struct abi_field *d,
	       const uint8_t *base, uint64_t addr, struct sym_place *ret)
{
	bool user = fmt_is_user(d);
	int pid = user ? (int)fmt_field_word(d, base, 0) : 0;

	find_place(f, user, pid, addr, ret);
}

/* Names come from files, and files from anybody. */
static void
put_place(const struct fmt *f, const struct sym_place *p, struct sb *b)
{
	struct sb text;

	sb_init(&text, SIZE_MAX);
	sym_place_print(p, &text);
	fmt_put_data(f, sb_str(&text), text.len, b);
	b->failed |= text.failed;
	sb_fini(&text);
}

void
fmt_plain_address(const struct fmt *f, uint64_t addr, bool user, struct sb *b)
{
	struct sym_place p;

	find_place(f, user, 0, addr, &p);
	put_place(f, &p, b);
}

void
fmt_symbol(const struct fmt *f, const struct abi_field *d, const uint8_t *base,
	   struct sb *b)
{
	bool whole = d->kind == ABI_FIELD_UADDR;
	struct sym_place p;

	fmt_find_place(f, d, base, fmt_field_addr(d, base), &p);
	if (!whole)
		p.offset = 0;
	if ((d->kind == ABI_FIELD_MOD || d->kind == ABI_FIELD_UMOD) && p.module)
		fmt_put_data(f, p.module, strlen(p.module), b);
	else
		put_place(f, &p, b);
}

bool
fmt_find_frame(const struct fmt *f, const struct abi_field *d,
	       const uint8_t *base, unsigned no, struct sym_place *ret)
{
	bool user = fmt_is_user(d);	/* then it opens with the pid */
	int pid = user ? (int)fmt_field_word(d, base, 0) : 0;
	uint64_t pc = fmt_field_word(d, base, user + no);

	*ret = (struct sym_place){ .addr = pc };
	if (!pc && no && user && fmt_field_word(d, base, no) &&
	    fmt_field_word(d, base, 0) & ABI_USTACK_BLIND) {
		ret->function = "[by frame pointer]";
		return true;
	}
	if (pc && f->names && fmt_on(f, OPT_STACKSYMBOLS) &&
	    !(user && fmt_on(f, OPT_NORESOLVE)))
		sym_names_frame(f->names, pid, pc, no ?
				fmt_field_word(d, base, user + no - 1) : 0, ret);
	return pc;
}

void
fmt_stack(const struct fmt *f, const struct abi_field *d, const uint8_t *base,
	  struct sb *b)
{
	int64_t indent = f->opts->v[OPT_STACKINDENT];
	size_t blanks = indent > 0 ? (size_t)BASE_MIN(indent, 4096) : 0;
	struct sym_place p, one;

	sb_putc(b, '\n');
	for (unsigned no = 0; fmt_find_frame(f, d, base, no, &p); no++)
		for (size_t i = 0; sym_place_unfold(&p, i, &one); i++) {
			sb_fill(b, ' ', blanks);
			put_place(f, &one, b);
			sb_putc(b, '\n');
		}
}

struct base_span
fmt_field_text(const struct fmt *f, const struct abi_field *d,
	       const uint8_t *base)
{
	const char *p = (const char *)base + d->offset;
	uint32_t probe;

	switch (d->kind) {
	case ABI_FIELD_STRING:
	case ABI_FIELD_BYTES:
		return (struct base_span){ p, strnlen(p, d->size) };
	case ABI_FIELD_PROBE:
		memcpy(&probe, p, sizeof(probe));
		return consume_probe_part(f->meta, probe, d->sub);
	default:
		return (struct base_span){ "", 0 };
	}
}

static void
put_symbol(const struct fmt *f, const struct abi_field *d, const uint8_t *base,
	   enum fmt_place place, struct sb *b)
{
	if (widths[place].symbol)
		sb_putn(b, "  ", 2);
	size_t start = b->len;
	fmt_symbol(f, d, base, b);
	if (b->len - start < widths[place].symbol)
		sb_fill(b, ' ', widths[place].symbol - (b->len - start));
}

void
fmt_field(const struct fmt *f, const struct abi_field *d, const uint8_t *base,
	  enum fmt_place place, struct sb *b)
{
	if (fmt_is_float(d)) {
		put_float(d, base, place, b);
		return;
	}
	switch (d->kind) {
	case ABI_FIELD_INT:
		if (put_int(d, base, place, b))
			break;
		/* No integer has this size. */
		/* fallthrough */
	case ABI_FIELD_BYTES:
		put_bytes(f, d, base, place, b);
		break;
	case ABI_FIELD_STRING:
	case ABI_FIELD_PROBE:
		put_string(f, fmt_field_text(f, d, base), place, b);
		break;
	case ABI_FIELD_STACK:
	case ABI_FIELD_USTACK:
		fmt_stack(f, d, base, b);
		break;
	default:
		put_symbol(f, d, base, place, b);
	}
}

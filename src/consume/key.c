/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Keys.  A key comes as the kernel wrote it and is kept in canonical form, so
 * that equal meaning is equal bytes: padding is zero, so is what lies behind
 * the end of a string or a stack, a probe stands for all with its text, and the
 * start of a function for each address in it where functions are keys.
 *
 * Aggregations that a printa() joins have keys of the same types but not
 * always of the same layout: strings are as wide as their uses need, and a
 * name may be a string in one and a probe in the other.  So comparing and
 * translating look at what a field means, in four classes.
 */
#include <assert.h>
#include <string.h>

#include "consume/consume_priv.h"

enum class { CLASS_INT, CLASS_TEXT, CLASS_BYTES, CLASS_WORDS };

static enum class
class_of(const struct abi_field *f)
{
	switch (f->kind) {
	case ABI_FIELD_INT: return CLASS_INT;
	case ABI_FIELD_STRING:
	case ABI_FIELD_PROBE: return CLASS_TEXT;
	case ABI_FIELD_BYTES: return CLASS_BYTES;
	default: return CLASS_WORDS;
	}
}

static uint32_t
probe_of(const struct abi_field *f, const uint8_t *key)
{
	uint32_t probe;

	memcpy(&probe, key + f->offset, sizeof(probe));
	return probe;
}

static struct base_span
text_of(const struct consume_meta *m, const struct abi_field *f,
	const uint8_t *key)
{
	const char *p = (const char *)key + f->offset;

	if (f->kind == ABI_FIELD_STRING)
		return (struct base_span){ p, strnlen(p, f->size) };
	return consume_probe_part(m, probe_of(f, key), f->sub);
}

/* Word i of a stack or an address; 0 behind the end. */
static uint64_t
word_of(const struct abi_field *f, const uint8_t *key, uint32_t i)
{
	uint64_t w;

	if (i >= f->size / 8)
		return 0;
	memcpy(&w, key + f->offset + i * 8, sizeof(w));
	return w;
}

/* Words of a stack before its end; all words of an address. */
static uint32_t
count_words(const struct abi_field *f, const uint8_t *key)
{
	uint32_t i = 0, n = f->size / 8;

	if (f->kind == ABI_FIELD_USTACK)
		i = n > 0;	/* the pid may be 0 */
	else if (f->kind != ABI_FIELD_STACK)
		return n;
	while (i < n && word_of(f, key, i))
		i++;
	return i;
}

/* --- Canonical form ----------------------------------------------------- */

static struct err *
canon_probe(struct consume *c, const struct abi_field *f, const uint8_t *key,
	    uint8_t *out)
{
	uint32_t id;

	if (!consume_canon(&c->canon[f->sub], c->meta, f->sub,
			   probe_of(f, key), &id))
		return &err_nomem;
	memcpy(out + f->offset, &id, sizeof(id));
	return NULL;
}

/* An address whose name is the key. */
static bool
has_whole(const struct abi_field *f)
{
	return f->kind == ABI_FIELD_SYM || f->kind == ABI_FIELD_MOD ||
	       f->kind == ABI_FIELD_USYM || f->kind == ABI_FIELD_UMOD;
}

static void
canon_addr(const struct consume_meta *m, const struct abi_field *f,
	   const uint8_t *key, uint8_t *out)
{
	uint32_t last = f->size / 8 - 1;

	assert(f->size >= 8 && m->whole);
	uint64_t pid = last ? word_of(f, key, 0) : 0;
	uint64_t addr = m->whole(m->ctx, f->kind, (int64_t)pid,
				 word_of(f, key, last));

	if (last)
		memcpy(out + f->offset, &pid, sizeof(pid));
	memcpy(out + f->offset + last * 8, &addr, sizeof(addr));
}

static struct err *
canon_field(struct consume *c, const struct abi_field *f, const uint8_t *key,
	    uint8_t *out)
{
	size_t n = f->size;

	if (f->kind == ABI_FIELD_PROBE)
		return canon_probe(c, f, key, out);
	if (has_whole(f) && c->meta->whole && f->size >= 8) {
		canon_addr(c->meta, f, key, out);
		return NULL;
	}
	if (f->kind == ABI_FIELD_STRING)
		n = strnlen((const char *)key + f->offset, n);
	else if (class_of(f) == CLASS_WORDS)
		n = count_words(f, key) * 8;
	memcpy(out + f->offset, key + f->offset, n);
	return NULL;
}

struct err *
consume_key_canon(struct consume *c, const struct abi_agg_desc *d,
		  const uint8_t *key, uint8_t *out)
{
	memset(out, 0, d->key_size);
	for (uint32_t i = 0; i < d->nkeys; i++)
		TRY(canon_field(c, &d->keys[i], key, out));
	return NULL;
}

/* --- Translation -------------------------------------------------------- */

static bool
translate_int(const struct abi_field *from, const uint8_t *key,
	      const struct abi_field *to, uint8_t *out)
{
	uint64_t v = (uint64_t)consume_field_int(from, key);
	uint8_t v8 = (uint8_t)v;
	uint16_t v16 = (uint16_t)v;
	uint32_t v32 = (uint32_t)v;
	const void *p = to->size == 1 ? (void *)&v8 :
			to->size == 2 ? (void *)&v16 :
			to->size == 4 ? (void *)&v32 : (void *)&v;

	if (to->size > 8)
		return false;
	memcpy(out + to->offset, p, to->size);
	return (uint64_t)consume_field_int(to, out) == v;
}

static bool
translate_text(const struct consume *c, const struct abi_field *from,
	       const uint8_t *key, const struct abi_field *to, uint8_t *out)
{
	struct base_span s = text_of(c->meta, from, key);
	uint32_t id;

	if (to->kind == ABI_FIELD_PROBE) {
		if (!consume_canon_find(&c->canon[to->sub], s, &id))
			return false;
		memcpy(out + to->offset, &id, sizeof(id));
		return true;
	}
	if (s.n > to->size)
		return false;
	memcpy(out + to->offset, s.p, s.n);
	return true;
}

static bool
translate_words(const struct abi_field *from, const uint8_t *key,
		const struct abi_field *to, uint8_t *out)
{
	size_t n = count_words(from, key) * 8;

	if (n > to->size)
		return false;
	memcpy(out + to->offset, key + from->offset, n);
	return true;
}

static bool
translate_field(const struct consume *c, const struct abi_field *from,
		const uint8_t *key, const struct abi_field *to, uint8_t *out)
{
	if (class_of(from) != class_of(to))
		return false;
	switch (class_of(from)) {
	case CLASS_INT: return translate_int(from, key, to, out);
	case CLASS_TEXT: return translate_text(c, from, key, to, out);
	case CLASS_WORDS: return translate_words(from, key, to, out);
	default: break;
	}
	if (from->size != to->size)
		return false;
	memcpy(out + to->offset, key + from->offset, to->size);
	return true;
}

bool
consume_key_translate(const struct consume *c, const struct abi_agg_desc *from,
		      const uint8_t *key, const struct abi_agg_desc *to,
		      uint8_t *out)
{
	if (from->nkeys != to->nkeys)
		return false;
	memset(out, 0, to->key_size);
	for (uint32_t i = 0; i < to->nkeys; i++)
		if (!translate_field(c, &from->keys[i], key, &to->keys[i],
				     out))
			return false;
	return true;
}

/* --- Order -------------------------------------------------------------- */

static __int128
number_of(const struct abi_field *f, const uint8_t *key)
{
	int64_t v = consume_field_int(f, key);

	return f->is_signed ? (__int128)v : (__int128)(uint64_t)v;
}

static int
compare_spans(struct base_span a, struct base_span b)
{
	size_t n = BASE_MIN(a.n, b.n);
	int d = n ? memcmp(a.p, b.p, n) : 0;

	return d ? d : (a.n > b.n) - (a.n < b.n);
}

static int
compare_words(const struct abi_field *af, const uint8_t *a,
	      const struct abi_field *bf, const uint8_t *b)
{
	uint32_t n = BASE_MAX(af->size, bf->size) / 8;

	for (uint32_t i = 0; i < n; i++) {
		uint64_t x = word_of(af, a, i), y = word_of(bf, b, i);
		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

static int
compare_fields(const struct consume_meta *m,
	       const struct abi_field *af, const uint8_t *a,
	       const struct abi_field *bf, const uint8_t *b)
{
	enum class ac = class_of(af), bc = class_of(bf);

	if (ac != bc)
		return ac < bc ? -1 : 1;
	if (ac == CLASS_INT) {
		__int128 x = number_of(af, a), y = number_of(bf, b);
		return (x > y) - (x < y);
	}
	if (ac == CLASS_TEXT)
		return compare_spans(text_of(m, af, a), text_of(m, bf, b));
	if (ac == CLASS_WORDS)
		return compare_words(af, a, bf, b);
	return compare_spans(
		(struct base_span){ (const char *)a + af->offset, af->size },
		(struct base_span){ (const char *)b + bf->offset, bf->size });
}

int
consume_key_compare(const struct consume_meta *m,
		    const struct abi_agg_desc *ad, const uint8_t *a,
		    const struct abi_agg_desc *bd, const uint8_t *b,
		    unsigned keypos)
{
	uint32_t n = BASE_MIN(ad->nkeys, bd->nkeys);

	if (keypos >= n)
		keypos = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t k = (keypos + i) % n;
		int d = compare_fields(m, &ad->keys[k], a, &bd->keys[k], b);
		if (d)
			return d;
	}
	return 0;
}

/* --- Images ------------------------------------------------------------- */

/* The first eight bytes as a number that orders as they do. */
static uint64_t
span_image(struct base_span s)
{
	uint64_t image = 0;

	for (size_t i = 0; i < 8; i++)
		image = image << 8 | (i < s.n ? (uint8_t)s.p[i] : 0);
	return image;
}

static uint64_t
field_image(const struct consume_meta *m, const struct abi_field *f,
	    const uint8_t *key)
{
	switch (class_of(f)) {
	case CLASS_INT:
		return (uint64_t)consume_field_int(f, key) ^
		       (f->is_signed ? 1ULL << 63 : 0);
	case CLASS_TEXT: return span_image(text_of(m, f, key));
	case CLASS_WORDS: return word_of(f, key, 0);
	default: return span_image((struct base_span){
			(const char *)key + f->offset, f->size });
	}
}

uint64_t
consume_key_image(const struct consume_meta *m, const struct abi_agg_desc *d,
		  const uint8_t *key, unsigned keypos)
{
	if (!d->nkeys)
		return 0;
	return field_image(m, &d->keys[keypos < d->nkeys ? keypos : 0], key);
}

bool
consume_key_same_images(const struct abi_agg_desc *a,
			const struct abi_agg_desc *b)
{
	if (a->nkeys != b->nkeys)
		return false;
	for (uint32_t i = 0; i < a->nkeys; i++)
		if (class_of(&a->keys[i]) != class_of(&b->keys[i]) ||
		    a->keys[i].is_signed != b->keys[i].is_signed)
			return false;
	return true;
}

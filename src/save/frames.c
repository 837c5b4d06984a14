/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Putting frames together, and taking them apart.  What is read may be anything:
 * taking more than there is gives NULL, and from then on nothing but that.
 *
 *  1. A frame begins at a multiple of 8, in the file as in memory.
 *  2. Of a cursor that has come to NULL nothing is left.
 */
#include <assert.h>

#include "save/save_priv.h"

static void
align(struct sb *b)
{
	static const char zeros[8];

	sb_putn(b, zeros, -b->len & 7);
}

size_t
save_frame_begin(struct sb *b, enum save_kind kind)
{
	struct save_frame f = { kind, 0 };
	size_t at = b->len;

	assert(b->failed || at % 8 == 0);	/* 1 */
	assert(kind < SAVE_NKINDS);
	sb_putn(b, &f, sizeof(f));
	return at;
}

void
save_frame_end(struct sb *b, size_t at)
{
	uint32_t size = (uint32_t)(b->len - at - sizeof(struct save_frame));

	assert(b->failed || b->len - at >= sizeof(struct save_frame));
	align(b);
	if (!b->failed)
		memcpy(b->p + at + offsetof(struct save_frame, size), &size,
		       sizeof(size));
}

void
save_frame_put(struct sb *b, enum save_kind kind, const void *p, size_t size)
{
	size_t at = save_frame_begin(b, kind);

	sb_putn(b, p, size);
	save_frame_end(b, at);
}

void
save_put(struct sb *b, const void *p, size_t size)
{
	sb_putn(b, p, size);
	align(b);
}

void
save_put_text(struct sb *b, const char *text)
{
	save_put(b, text, strlen(text) + 1);
}

const void *
save_take(struct save_cursor *c, size_t size)
{
	const uint8_t *p = c->p;
	size_t all = size <= SIZE_MAX - 7 ? (size + 7) & ~(size_t)7 : SIZE_MAX;

	assert(p || !c->left);		/* 2 */
	if (!p || size > c->left) {
		*c = (struct save_cursor){ NULL, 0 };
		return NULL;
	}
	all = BASE_MIN(all, c->left);
	assert(all <= c->left);
	c->p += all;
	c->left -= all;
	return p;
}

const char *
save_take_text(struct save_cursor *c, size_t size)
{
	const char *p = c->p ? (const char *)c->p : NULL;
	size_t n = size ? size : c->left;

	if (!p || n > c->left || !memchr(p, '\0', n))
		return save_take(c, SIZE_MAX);
	return save_take(c, strlen(p) + 1);
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the files of this folder have for each other.
 */
#ifndef SAVE_SAVE_PRIV_H
#define SAVE_SAVE_PRIV_H

#include <string.h>

#include "base/base.h"
#include "save/format.h"
#include "save/save.h"
#include "type/type.h"
#include "util/hash.h"
#include "util/sb.h"
#include "util/vec.h"

/* --- frames.c -------------------------------------------------------------- */

/* A frame at the end of b, between these two; its place is where it begins. */
size_t save_frame_begin(struct sb *b, enum save_kind kind);
void save_frame_end(struct sb *b, size_t at);
void save_frame_put(struct sb *b, enum save_kind kind, const void *p,
		    size_t size);
/* Bytes, and a text with its NUL; both with what aligns what follows. */
void save_put(struct sb *b, const void *p, size_t size);
void save_put_text(struct sb *b, const char *text);

/* The rest of a frame; p NULL: more was taken than there was. */
struct save_cursor {
	const uint8_t *p;
	size_t left;
};

/* The next `size` bytes, and what aligns the ones behind; NULL: there are not so
 * many. */
const void *save_take(struct save_cursor *c, size_t size);
/* A text that ends within `size` bytes, 0: within the frame. */
const char *save_take_text(struct save_cursor *c, size_t size);

/* --- types.c --------------------------------------------------------------- */

/* The graph of t as print() walks it: what pointers point to is named only. */
void save_put_types(struct sb *b, const struct type *t);
/* The type that `size` bytes of nodes make, in a; NULL: they make no sense. */
const struct type *save_take_types(struct save_cursor *c, size_t size,
				   struct arena *a);

/* --- describe.c ------------------------------------------------------------ */

void save_put_agg(struct sb *b, const struct abi_agg_desc *d);
void save_put_desc(struct sb *b, uint32_t id, const struct abi_clause_desc *d);
/* NULL: it makes no sense, or there is no memory.  In a. */
struct abi_agg_desc *save_take_agg(struct save_cursor *c, struct arena *a);
struct abi_clause_desc *save_take_desc(struct save_cursor *c, struct arena *a,
				       uint32_t *id);

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What files with static probes say of them in D.  It is read when somebody asks for
 * the type of an argument, and compiled elsewhere.
 */
#include "prov/user.h"
#include "prov/usdt_priv.h"

enum { TEXT_MAX = 1 << 20 };	/* bytes */

struct reading {
	struct prov_set *s;
	struct prov_object *object;
	struct usdt_file *file;
};

static struct err *
on_text(void *ctx, const char *text, size_t size)
{
	struct reading *r = ctx;
	struct arena *a = r->s->arena;

	if (!size || size > TEXT_MAX)
		return NULL;
	void **at = hash_ref(prov_usdt_texts(r->s), text, size);
	if (!at)
		return &err_nomem;
	if (!*at) {
		struct prov_text *t = ARENA_NEW(a, struct prov_text);
		if (!t || !(t->text = arena_strndup(a, text, size)))
			return &err_nomem;
		t->file = r->object->path;
		t->size = (uint32_t)size;
		*at = t;
	}
	return vec_push(&r->file->texts, *at) ? NULL : &err_nomem;
}

struct err *
prov_texts(struct prov_set *s, const struct probe *p, struct prov_texts *ret)
{
	struct reading r = { .s = s };

	*ret = (struct prov_texts){ .n = 0 };
	if (s->providers.v[p->provider].ops != &prov_usdt_ops)
		return NULL;
	const struct usdt_note *note = prov_usdt_first(p);
	r.object = note->object;
	TRY(prov_usdt_file(s, r.object, &r.file));
	if (!r.file->has_texts) {
		r.file->has_texts = true;
		TRY(sym_text_walk(r.object->fd, on_text, &r));
	}
	*ret = (struct prov_texts){ r.file->texts.v, r.file->texts.n,
				    note->prov, note->own_name };
	return NULL;
}

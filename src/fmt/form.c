/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A format is the same for every record of its clause, so it is taken apart
 * when it is first met, and found again by its address.
 */
#include "fmt/format_priv.h"
#include "util/alloc.h"

/* The place of text, or the free one where it would be. */
static struct fmt_form *
find(const struct fmt_forms *t, const char *text)
{
	size_t i = (uintptr_t)text * 0x9e3779b97f4a7c15u >> 32;

	for (;; i++) {
		struct fmt_form *s = &t->slots[i & (t->nslots - 1)];
		if (!s->text || s->text == text)
			return s;
	}
}

static bool
grow(struct fmt_forms *t)
{
	struct fmt_forms old = *t;

	if (t->n < t->nslots / 2)
		return true;
	t->nslots = t->nslots ? t->nslots * 2 : 8;
	t->slots = util_zalloc(t->nslots * sizeof(*t->slots));
	if (!t->slots) {
		*t = old;
		return false;
	}
	for (size_t i = 0; i < old.nslots; i++)
		if (old.slots[i].text)
			*find(t, old.slots[i].text) = old.slots[i];
	util_free(old.slots);
	return true;
}

static size_t
count(const char *text)
{
	struct pfmt_conv c;
	size_t pos = 0, n = 0;

	while (pfmt_next(text, &pos, &c))
		n++;
	return n;
}

static bool
take_apart(struct fmt_form *s, const char *text)
{
	size_t n = count(text), pos = 0;

	s->pieces = util_zalloc((n + 1) * sizeof(*s->pieces));
	if (!s->pieces)
		return false;
	for (size_t i = 0; i < n; i++)
		s->pieces[i].bad = pfmt_next(text, &pos,
					     &s->pieces[i].conv) < 0;
	s->n = n;
	s->text = text;
	return true;
}

const struct fmt_form *
fmt_form(struct fmt_forms *t, const char *text)
{
	struct fmt_form *s = t->nslots ? find(t, text) : NULL;

	if (s && s->text)
		return s;
	if (!grow(t))
		return NULL;
	s = find(t, text);
	if (!take_apart(s, text))
		return NULL;
	t->n++;
	return s;
}

void
fmt_forms_fini(struct fmt_forms *t)
{
	for (size_t i = 0; i < t->nslots; i++)
		util_free(t->slots[i].pieces);
	util_free(t->slots);
	*t = (struct fmt_forms){ 0 };
}

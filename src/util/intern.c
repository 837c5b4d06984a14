/* SPDX-License-Identifier: BSD-2-Clause */
#include <string.h>

#include "util/alloc.h"
#include "util/intern.h"

void
intern_fini(struct intern *t)
{
	struct hash_entry *e;

	for (size_t i = 0; (e = hash_next(&t->names, &i)); )
		util_free(e->val);
	hash_fini(&t->names);
}

const char *
intern_n(struct intern *t, const char *s, size_t n)
{
	void **p = hash_ref(&t->names, s, n);

	if (p && !*p)
		*p = util_strndup(s, n);
	return p ? *p : NULL;
}

const char *
intern(struct intern *t, const char *s)
{
	return intern_n(t, s, strlen(s));
}

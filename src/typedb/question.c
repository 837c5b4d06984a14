/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where in a kernel struct a member lies.
 */
#include <assert.h>
#include <string.h>

#include "typedb/typedb.h"

enum { MAX_NAME = 128 };

/* The member of t that path begins with; *path moves behind it. */
static bool
step(const struct type *t, const char **path, struct type_member *m)
{
	char name[MAX_NAME];
	size_t n = strcspn(*path, ".|");

	if (n >= sizeof(name))
		return false;
	memcpy(name, *path, n);
	name[n] = '\0';
	*path += n;
	return type_find_member(t, name, m);
}

/* Of struct t, by one path, which ends with a '|' or the string. */
static struct err *
offset_in(const struct type *t, const char *tag, const char *path, uint32_t *offset,
	  uint32_t *size)
{
	const char *rest = path;
	struct type_member m;
	uint64_t bit = 0;

	for (;; rest++) {
		if (!step(t, &rest, &m))
			return err_new(ERR_NOTFOUND, 0,
				       "struct %s has no member %s", tag,
				       path);
		bit += m.bit_offset;
		t = m.type;
		if (!*rest || *rest == '|')
			break;
	}
	if (m.bit_size || bit / 8 > UINT32_MAX || type_size(t) > UINT32_MAX)
		return err_new(ERR_UNSUPPORTED, 0,
			       "struct %s: %s has no byte offset", tag, path);
	*offset = (uint32_t)(bit / 8);
	*size = (uint32_t)type_size(t);
	return NULL;
}

/* The first struct of tag, "one|other", that there is, *ret, or NULL. */
static struct err *
find_first(struct typedb *db, const char *tag, const struct type **ret)
{
	char one[64];

	for (*ret = NULL; !*ret && *tag; tag += *tag == '|') {
		size_t n = strcspn(tag, "|");
		assert(n < sizeof(one));
		memcpy(one, tag, n);
		one[n] = '\0';
		tag += n;
		TRY(typedb_find(db, "vmlinux", TYPE_STRUCT, one, ret));
	}
	return NULL;
}

struct err *
typedb_offset(struct typedb *db, const char *tag, const char *path,
	      uint32_t *offset, uint32_t *size)
{
	const struct type *t;

	TRY(find_first(db, tag, &t));
	if (!t)
		return err_new(ERR_NOTFOUND, 0, "no struct %s", tag);
	for (const char *bar; (bar = strchr(path, '|')); path = bar + 1) {
		struct err *e = offset_in(t, tag, path, offset, size);
		if (!e || e->code == ERR_NOMEM)
			return e;
		err_free(e);
	}
	return offset_in(t, tag, path, offset, size);
}

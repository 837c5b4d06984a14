/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The names D is born with: builtins.def as identifiers.  Types and
 * prototypes are texts in the table and are taken apart when first used, so
 * that a program that does not say `curthread` never asks for task_struct.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/base.h"
#include "sema/call_priv.h"
#include "sema/name_priv.h"
#include "sema/type_priv.h"

const struct probe_attr sema_attr_default = {
	PROBE_STABLE, PROBE_STABLE, PROBE_CLASS_COMMON
};

struct row {
	uint8_t kind;
	const char *name;
	uint32_t id;
	const char *text;
	struct probe_attr attr;
	uint32_t version;
	unsigned flags;
	builtin_check *check;
};

#define SSC { PROBE_STABLE, PROBE_STABLE, PROBE_CLASS_COMMON }
#define SPC { PROBE_STABLE, PROBE_PRIVATE, PROBE_CLASS_COMMON }
#define EEC { PROBE_EVOLVING, PROBE_EVOLVING, PROBE_CLASS_COMMON }
#define V(major, minor) SEMA_VERSION(major, minor, 0)
#define DESTR BUILTIN_DESTR
#define ARRAY BUILTIN_ARRAY
#define LATER BUILTIN_LATER
#define NEVER(WHY) BUILTIN_LATER | BUILTIN_WHY * BUILTIN_NO_##WHY
#define DYN BUILTIN_DYN
#define WHO BUILTIN_WHO
#define sema_check_none NULL

static const struct row rows[] = {
#define BUILTIN(KIND, name, id, proto, attr, version, flags, check) \
	{ SEMA_##KIND, name, id, proto, attr, version, flags, \
	  sema_check_##check },
#include "sema/builtins.def"
#undef BUILTIN
};

bool
sema_asks_who(enum sema_kind kind, uint32_t id)
{
	return BASE_ANY(i, BASE_NELEMS(rows),
			rows[i].kind == kind && rows[i].id == id &&
			rows[i].flags & BUILTIN_WHO);
}

static void
fill(struct builtin *b, const struct row *r)
{
	b->id.kind = r->kind;
	b->id.name = r->name;
	b->id.id = r->id;
	b->id.attr = r->attr;
	b->id.is_array = r->flags & BUILTIN_ARRAY;
	b->id.is_destructive = r->flags & BUILTIN_DESTR;
	b->text = r->text;
	b->version = r->version;
	b->flags = r->flags;
	b->check = r->check;
}

bool
sema_builtins_init(struct sema *s)
{
	s->builtins = ARENA_ARRAY(s->a, struct builtin, BASE_NELEMS(rows));
	if (!s->builtins)
		return false;
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		fill(&s->builtins[i], &rows[i]);
		if (!hash_puts(&s->builtin_names, rows[i].name,
			       &s->builtins[i]))
			return false;
	}
	return true;
}

void
sema_builtins_forget(struct sema *s)
{
	for (size_t i = 0; i < BASE_NELEMS(rows); i++) {
		s->builtins[i].id.type = NULL;
		s->builtins[i].proto = NULL;
	}
}

struct builtin *
sema_builtin(struct sema *s, const char *name)
{
	struct builtin *b = hash_gets(&s->builtin_names, name);

	if (!b || b->version > s->version)
		return NULL;
	bool is_value = b->id.kind == SEMA_BVAR || b->id.kind == SEMA_ENUM;
	if (is_value && !(b->flags & BUILTIN_LATER) && !b->id.type)
		b->id.type = sema_type_text(s, b->text);
	return b;
}

bool
sema_is_unbuilt(const struct sema_ident *id)
{
	return id->kind == SEMA_BVAR &&
	       ((const struct builtin *)id)->flags & BUILTIN_LATER;
}

static const char *const whys[] = {
	"is not available in this version",
#define ABSENT(WHY, text) "is not available: " text,
#include "sema/absent.def"
#undef ABSENT
};

bool
sema_is_later(struct sema *s, const struct builtin *b,
	      const struct ast_node *n)
{
	bool is_var = b->id.kind == SEMA_BVAR;

	if (!(b->flags & BUILTIN_LATER))
		return false;
	diag(s->d, D_NOTIMPL, n->span.len ? n->op_span : n->span,
	     "%s%s %s", b->id.name, is_var ? "" : "( )",
	     whys[b->flags / BUILTIN_WHY]);
	return true;
}

/* "1.2" or "1.2.3", each part within its bits. */
bool
sema_version_parse(const char *text, uint32_t *ret)
{
	static const unsigned long most[] = { 0xff, 0xfff, 0xfff };
	unsigned long v[3] = { 0 };
	char *end = (char *)(uintptr_t)text;
	int i;

	for (i = 0; i < 3; i++) {
		if (*end < '0' || *end > '9')
			return false;
		v[i] = strtoul(end, &end, 10);
		if (v[i] > most[i])
			return false;
		if (*end != '.')
			break;
		end++;
	}
	if (*end || i == 0 || i == 3)
		return false;
	*ret = SEMA_VERSION(v[0], v[1], v[2]);
	return true;
}

void
sema_version_print(uint32_t version, char ret[SEMA_VERSION_SIZE])
{
	unsigned micro = version & 0xfff;
	int n = snprintf(ret, SEMA_VERSION_SIZE, "%u.%u", version >> 24,
			 version >> 12 & 0xfff);

	if (micro && n > 0)
		snprintf(ret + n, SEMA_VERSION_SIZE - (size_t)n, ".%u", micro);
}

/* --- Prototypes ---------------------------------------------------------- */

/* One parameter's text, blanks and brackets removed. */
static bool
parse_param(struct sema *s, const char *text, struct proto *p, bool optional)
{
	struct proto_param *q = &p->params[p->n];

	if (strcmp(text, "...") == 0) {
		p->max = PROTO_MANY;
		return true;
	}
	q->text = text;
	if (strcmp(text, "any") == 0)
		q->kind = PARAM_ANY;
	else if (strcmp(text, "@") == 0)
		q->kind = PARAM_AGG;
	else if (!(q->type = sema_type_text(s, text)))
		return false;
	p->n++;
	p->max++;
	p->min += !optional;
	return true;
}

static bool
parse_params(struct sema *s, const char *p, const char *end, struct proto *ret)
{
	while (p < end) {
		const char *stop = memchr(p, ',', (size_t)(end - p));
		const char *next = stop ? stop + 1 : end;
		bool optional;

		if (!stop)
			stop = end;
		while (p < stop && *p == ' ')
			p++;
		optional = p < stop && *p == '[';
		if (optional) {
			p++;
			stop--;
		}
		char *text = arena_strndup(s->a, p, (size_t)(stop - p));
		if (!text || !parse_param(s, text, ret, optional))
			return false;
		p = next;
	}
	return true;
}

const struct proto *
sema_proto(struct sema *s, struct builtin *b)
{
	const char *open = strchr(b->text, '(');

	if (b->proto)
		return b->proto;
	struct proto *p = ARENA_NEW(s->a, struct proto);
	char *result = arena_strndup(s->a, b->text, (size_t)(open - b->text));
	if (!p || !result)
		return NULL;
	p->result = strcmp(result, "any") ? sema_type_text(s, result)
					  : &type_void;
	if (!p->result || !parse_params(s, open + 1, strrchr(open, ')'), p))
		return NULL;
	b->proto = p;
	return p;
}

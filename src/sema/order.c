/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What may follow what in a clause that speculates: a record goes to one place,
 * so nothing is recorded before speculate() or commit(), nor behind commit().
 *
 * Each straight piece of a clause, between ifs and loops, has a record of its
 * own, and begins afresh.  But exit() and what cannot be taken back have no
 * place under any speculation, so for these it is asked whether one is in
 * force: from this list, or from one around it.
 */
#include "sema/clause_priv.h"
#include "sema/name_priv.h"

enum kind { OTHER, RECORDS, AGGREGATES, EXITS, DESTROYS, SPECULATES, COMMITS,
	    NKINDS };

struct seen {
	bool records, speculates, commits;	/* in this piece */
	bool in_force;				/* some speculate() is */
};

/* Actions that record nothing. */
static bool
is_silent(uint32_t action)
{
	return abi_action_class(action) == ABI_DOES_ACTS ||
	       action == ABI_ACT_DISCARD;
}

static enum kind
kind_of(const struct ast_node *e)
{
	const struct sema_ident *id = e->kind == AST_CALL ? e->ident : NULL;

	if (e->kind == AST_ASSIGN && e->kid[0]->kind == AST_AGG)
		return AGGREGATES;
	if (!id)
		return OTHER;
	if (id->is_destructive)
		return DESTROYS;
	if (id->kind != SEMA_ACTION || is_silent(id->id))
		return OTHER;
	switch (id->id) {
	case ABI_ACT_EXIT: return EXITS;
	case ABI_ACT_SPECULATE: return SPECULATES;
	case ABI_ACT_COMMIT: return COMMITS;
	default: return RECORDS;
	}
}

static bool
does_record(const struct ast_node *e, enum kind k)
{
	return k == RECORDS || k == EXITS ||
	       (k == DESTROYS && e->ident->kind == SEMA_ACTION &&
		!is_silent(e->ident->id));
}

/* D_TAG and text: this may not follow that. */
struct rule {
	bool broken;
	enum diag_tag tag;
	const char *what, *after;
};

static void
check(struct sema *s, const struct ast_node *e, const struct seen *p)
{
	enum kind k = kind_of(e);
	const struct rule rules[] = {
		{ k == SPECULATES && p->speculates, D_SPEC_SPEC,
		  "speculate( )", "speculate( )" },
		{ k == SPECULATES && p->commits, D_SPEC_COMM,
		  "speculate( )", "commit( )" },
		{ k == SPECULATES && p->records, D_SPEC_DREC,
		  "speculate( )", "data-recording action(s)" },
		{ k == COMMITS && p->commits, D_COMM_COMM,
		  "commit( )", "commit( )" },
		{ k == COMMITS && p->records, D_COMM_DREC,
		  "commit( )", "data-recording action(s)" },
		{ k == AGGREGATES && p->speculates, D_AGG_SPEC,
		  "aggregating actions", "speculate( )" },
		{ k == AGGREGATES && p->commits, D_AGG_COMM,
		  "aggregating actions", "commit( )" },
		{ k == EXITS && p->in_force, D_EXIT_SPEC,
		  "exit( )", "speculate( )" },
		{ k == DESTROYS && p->in_force, D_ACT_SPEC,
		  "destructive actions", "speculate( )" },
		{ does_record(e, k) && p->commits, D_DREC_COMM,
		  "data-recording actions", "commit( )" },
	};

	for (size_t i = 0; i < BASE_NELEMS(rules); i++)
		if (rules[i].broken) {
			diag(s->d, rules[i].tag, e->span,
			     "%s may not follow %s", rules[i].what,
			     rules[i].after);
			return;
		}
	if (e->kind == AST_CALL && e->ident &&
	    e->ident->kind == SEMA_ACTION)
		sema_is_later(s, (struct builtin *)e->ident, e->kid[0]);
}

static void
note(struct sema *s, const struct ast_node *e, struct seen *p)
{
	enum kind k = kind_of(e);

	s->prog->nrecords += does_record(e, k);
	s->prog->naggregates += k == AGGREGATES;
	s->prog->nspeculates += k == SPECULATES;

	p->records |= does_record(e, k);
	p->speculates |= k == SPECULATES;
	p->in_force |= k == SPECULATES;
	p->commits |= k == COMMITS;
}

static void
check_list(struct sema *s, const struct ast_node *stmts, bool in_force)
{
	struct seen p = { .in_force = in_force };

	for (; stmts; stmts = stmts->next) {
		if (stmts->kind == AST_EXPR) {
			check(s, stmts->kid[0], &p);
			note(s, stmts->kid[0], &p);
		} else if (stmts->kind == AST_IF || stmts->kind == AST_FOR ||
			   stmts->kind == AST_DO) {
			check_list(s, stmts->list, p.in_force);
			if (stmts->kind == AST_IF)
				check_list(s, stmts->list2, p.in_force);
			p = (struct seen){ .in_force = p.in_force };
		}
	}
}

void
sema_order(struct sema *s, const struct ast_node *stmts)
{
	s->prog->nrecords += !stmts;
	check_list(s, stmts, false);
}

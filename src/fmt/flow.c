/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The option flowindent: rows indented by calls and returns.
 *
 *	CPU FUNCTION
 *	  0  => read
 *	  0    -> vfs_read
 *	  0    | vfs_read:entry
 *	  0    <- vfs_read
 *	  0  <= read
 *
 * A call is what a probe says whose name is entry or ends in -entry, a return one of
 * return or -return; all others stand where they are, with their name.  So does what further clauses
 * record of the same firing: the arrow has been drawn.
 *
 * Depth is counted for each CPU, and a record does not say which thread it is
 * of.  While a call sleeps, other threads call and return on its CPU, and it may
 * return on another.  So the calls not yet returned are kept by name: a return
 * goes back to its own call, over whatever stands above it, and one without a
 * call changes nothing.  Mistakes heal by themselves that way, except for calls
 * that cannot return, which are known.
 */
#include <assert.h>

#include "fmt/graph_priv.h"
#include "util/alloc.h"

enum { DEPTH_MAX = 100 };

/* A function that was called; strings are of the probes.  Of names with a stem,
 * "method-entry", entry and return of one call need not be in one function of the
 * program's: it is the stem by which they belong together. */
struct call {
	const char *prov, *func, *name;
	size_t stem;			/* bytes of name; 0: the function tells */
};

struct fmt_flow_cpu {
	struct call calls[DEPTH_MAX];	/* [depth - 1]: the innermost */
	unsigned depth;
	uint64_t timestamp;		/* of the last record */
	uint32_t probe, epid;
};

enum flow { FLOW_NONE, FLOW_CALL, FLOW_RETURN };

static bool
is(const char *s, const char *name)
{
	return s && !strcmp(s, name);
}

/* Is the name `word`, or that behind a stem and a '-'? */
static bool
ends_in(const char *name, const char *word, size_t *stem)
{
	size_t n = strlen(name), len = strlen(word);

	*stem = n > len ? n - len - 1 : 0;
	return n >= len && !strcmp(name + n - len, word) &&
	       (n == len || name[*stem] == '-');
}

static enum flow
flow_of(const struct consume_probe *p, struct call *ret)
{
	if (!p || !p->func || !p->name)
		return FLOW_NONE;
	*ret = (struct call){ p->prov, p->func, p->name, 0 };
	if (ends_in(p->name, "entry", &ret->stem))
		return FLOW_CALL;
	return ends_in(p->name, "return", &ret->stem) ? FLOW_RETURN : FLOW_NONE;
}

static bool
is_same(const struct call *a, const struct call *b)
{
	return is(a->prov, b->prov) && a->stem == b->stem &&
	       (a->stem ? !strncmp(a->name, b->name, a->stem)
			: is(a->func, b->func));
}

static bool
never_returns(const struct consume_probe *p)
{
	static const char *const names[] = {
		"exit", "exit_group", "sigreturn", "rt_sigreturn",
	};

	for (size_t i = 0; is(p->prov, "syscall") && i < BASE_NELEMS(names);
	     i++)
		if (is(p->func, names[i]))
			return true;
	return false;
}

static void
call(struct fmt_flow_cpu *c, const struct consume_probe *p,
     const struct call *own)
{
	if (never_returns(p))
		return;
	if (c->depth == DEPTH_MAX) {	/* the outermost is forgotten */
		memmove(c->calls, c->calls + 1,
			(DEPTH_MAX - 1) * sizeof(*c->calls));
		c->depth--;
	}
	assert(c->depth < DEPTH_MAX);
	c->calls[c->depth++] = *own;
}

static void
go_back(struct fmt_flow_cpu *c, const struct call *from)
{
	for (unsigned i = c->depth; i-- > 0;) {
		if (is_same(from, &c->calls[i])) {
			c->depth = i;
			return;
		}
	}
}

static struct fmt_flow_cpu *
state_of(struct fmt *f, unsigned cpu)
{
	struct fmt_flow *w = &f->flow;
	unsigned n = cpu + 1;

	if (cpu < w->n)
		return w->cpus[cpu];
	assert(n > cpu);		/* CPUs are few */
	struct fmt_flow_cpu **v = util_realloc(w->cpus, n * sizeof(*v));
	if (!v)
		return NULL;
	w->cpus = v;
	for (; w->n < n; w->n++)
		v[w->n] = NULL;
	return NULL;
}

static struct fmt_flow_cpu *
get_state(struct fmt *f, unsigned cpu)
{
	struct fmt_flow_cpu *c = state_of(f, cpu);

	if (!c && cpu < f->flow.n)
		c = f->flow.cpus[cpu] = util_zalloc(sizeof(*c));
	return c;
}

static void
put_column(const struct fmt_flow_cpu *c, enum flow flow,
	   const struct consume_probe *p, struct sb *b)
{
	static const char *const arrows[][2] = {
		[FLOW_CALL] = { "->", "=>" }, [FLOW_RETURN] = { "<-", "<=" },
	};
	const char *func = p && p->func ? p->func : "";
	size_t start = b->len;

	sb_fill(b, ' ', 1 + 2 * c->depth);
	if (flow == FLOW_NONE)
		sb_printf(b, "| %s:%s", func, p && p->name ? p->name : "");
	else
		sb_printf(b, "%s %s", arrows[flow][is(p->prov, "syscall")],
			  func);
	if (b->len - start < FMT_FLOW_WIDTH)
		sb_fill(b, ' ', FMT_FLOW_WIDTH - (b->len - start));
	sb_putc(b, ' ');
}

bool
fmt_flow(struct fmt *f, const struct consume_event *e, struct sb *b)
{
	struct fmt_flow_cpu *c = get_state(f, e->cpu);
	uint32_t probe = e->epid->probe;

	if (!c)
		return false;
	struct call own;
	enum flow flow = flow_of(e->probe, &own);
	if (c->probe == probe && c->timestamp == e->timestamp &&
	    c->epid != e->epid_no)
		flow = FLOW_NONE;
	if (flow == FLOW_RETURN)
		go_back(c, &own);
	put_column(c, flow, e->probe, b);
	if (flow == FLOW_CALL)
		call(c, e->probe, &own);
	c->timestamp = e->timestamp;
	c->probe = probe;
	c->epid = e->epid_no;
	return true;
}

void
fmt_flow_fini(struct fmt_flow *w)
{
	for (unsigned i = 0; i < w->n; i++)
		util_free(w->cpus[i]);
	util_free(w->cpus);
}

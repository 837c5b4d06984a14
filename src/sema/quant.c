/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The constant parameters of lquantize() and llquantize().  Each has a row:
 * where it stands, what it is called, and the diagnostics for one that is no
 * constant, out of range, or not that of the first use.
 */
#include "abi/quant.h"
#include "sema/call_priv.h"
#include "sema/tree.h"

/* No histogram is longer than lquantize()'s longest. */
enum { MAX_BUCKETS = ABI_QUANT_MAX };

struct quant {
	uint8_t arg;			/* argument, 0.. */
	const char *name;
	int64_t min, max;
	enum diag_tag type, val, match;
};

static bool
read_param(struct sema *s, const struct ast_node *call, const struct quant *q,
	   int64_t *ret)
{
	const struct ast_node *a = sema_arg(call, q->arg);

	if (!sema_const(a, ret)) {
		diag(s->d, q->type, a->span, "%s( ) argument #%u (%s) must be "
		     "an integer constant", sema_call_name(call), q->arg + 1,
		     q->name);
		return false;
	}
	if (*ret >= q->min && *ret <= q->max)
		return true;
	diag(s->d, q->val, a->span, "%s( ) argument #%u (%s) must be %lld to "
	     "%lld, not %lld", sema_call_name(call), q->arg + 1, q->name,
	     (long long)q->min, (long long)q->max, (long long)*ret);
	return false;
}

/* All rows into v[]; false after a report. */
static bool
read_params(struct sema *s, const struct ast_node *call,
	    const struct quant *q, unsigned n, int64_t *v)
{
	for (unsigned i = 0; i < n; i++)
		if (sema_arg(call, q[i].arg) &&
		    !read_param(s, call, &q[i], &v[i]))
			return false;
	return true;
}

/* The same constants as at the first use? */
static bool
match_params(struct sema *s, struct sema_agg *g, const struct ast_node *call,
	     const struct quant *q, unsigned n, const int64_t *v)
{
	for (unsigned i = 0; i < n; i++) {
		const struct ast_node *a = sema_arg(call, q[i].arg);

		if (!g->has_func)
			g->quant[i] = v[i];
		if (g->quant[i] == v[i])
			continue;
		diag(s->d, q[i].match, a ? a->span : call->span,
		     "%s( ) %s (%lld) is not that of the first use of @%s "
		     "(%lld)", sema_call_name(call), q[i].name,
		     (long long)v[i], g->id.name, (long long)g->quant[i]);
		return false;
	}
	return true;
}

/* --- lquantize(e, low, high [, step [, increment]]) ---------------------- */

static const struct quant lquant[] = {
	{ 1, "lower bound", INT32_MIN, INT32_MAX, D_LQUANT_BASETYPE,
	  D_LQUANT_BASEVAL, D_LQUANT_MATCHBASE },
	{ 2, "upper bound", INT32_MIN, INT32_MAX, D_LQUANT_LIMTYPE,
	  D_LQUANT_LIMVAL, D_LQUANT_MATCHLIM },
	{ 3, "step", 1, ABI_QUANT_MAX, D_LQUANT_STEPTYPE,
	  D_LQUANT_STEPVAL, D_LQUANT_MATCHSTEP },
};

/* A step below 1 counts as one of the wrong type. */
static bool
check_step(struct sema *s, const struct ast_node *call)
{
	const struct ast_node *a = sema_arg(call, 3);
	int64_t v;

	if (!a || !sema_const(a, &v) || v > 0)
		return true;
	diag(s->d, D_LQUANT_STEPTYPE, a->span, "%s( ) argument #4 (step) "
	     "must be positive, not %lld", sema_call_name(call),
	     (long long)v);
	return false;
}

bool
sema_lquantize(struct sema *s, struct sema_agg *g, struct ast_node *call)
{
	int64_t v[3] = { 0, 0, 1 };

	if (!check_step(s, call) || !read_params(s, call, lquant, 3, v))
		return false;
	if (v[0] >= v[1]) {
		diag(s->d, D_LQUANT_MISMATCH, call->span, "lquantize( ) lower "
		     "bound (%lld) must be less than upper bound (%lld)",
		     (long long)v[0], (long long)v[1]);
		return false;
	}
	int64_t levels = (v[1] - v[0]) / v[2];
	if (levels == 0) {
		diag(s->d, D_LQUANT_STEPLARGE, call->span, "lquantize( ) step "
		     "(%lld) is larger than the range", (long long)v[2]);
		return false;
	}
	if (levels > MAX_BUCKETS) {
		diag(s->d, D_LQUANT_STEPSMALL, call->span, "lquantize( ) step "
		     "(%lld) is too small: %lld levels, at most %d",
		     (long long)v[2], (long long)levels, MAX_BUCKETS);
		return false;
	}
	if (!match_params(s, g, call, lquant, 3, v))
		return false;
	g->id.agg_arg = ABI_LQ_ARG(v[0], levels, v[2]);
	return true;
}

/* --- llquantize(e, factor, low, high [, nsteps [, increment]]) ----------- */

static const struct quant llquant[] = {
	{ 1, "factor", 0, ABI_QUANT_MAX, D_LLQUANT_FACTORTYPE,
	  D_LLQUANT_FACTORVAL, D_LLQUANT_FACTORMATCH },
	{ 2, "low magnitude", 0, ABI_QUANT_MAX, D_LLQUANT_LOWTYPE,
	  D_LLQUANT_LOWVAL, D_LLQUANT_LOWMATCH },
	{ 3, "high magnitude", 0, ABI_QUANT_MAX, D_LLQUANT_HIGHTYPE,
	  D_LLQUANT_HIGHVAL, D_LLQUANT_HIGHMATCH },
	{ 4, "number of steps", 0, ABI_QUANT_MAX, D_LLQUANT_NSTEPTYPE,
	  D_LLQUANT_NSTEPVAL, D_LLQUANT_NSTEPMATCH },
};

/* factor^n fits a signed 64-bit number? */
static bool
power_fits(int64_t factor, int64_t n)
{
	int64_t p = 1;

	for (int64_t i = 0; i < n; i++)
		if (__builtin_mul_overflow(p, factor, &p))
			return false;
	return true;
}

/* Does n divide some power of factor? */
static bool
divides_power(int64_t n, int64_t factor)
{
	int64_t left = 1;

	for (int i = 0; i < 16; i++)
		left = left * factor % n;	/* both fit 16 bits */
	return left == 0;
}

static bool
check_magnitudes(struct sema *s, const struct ast_node *call,
		 const int64_t *v)
{
	if (v[0] < 2) {
		diag(s->d, D_LLQUANT_FACTORSMALL, sema_arg(call, 1)->span,
		     "llquantize( ) factor must be at least 2, not %lld",
		     (long long)v[0]);
		return false;
	}
	if (v[1] > v[2]) {
		diag(s->d, D_LLQUANT_MAGRANGE, call->span, "llquantize( ) low "
		     "magnitude (%lld) must not exceed high magnitude (%lld)",
		     (long long)v[1], (long long)v[2]);
		return false;
	}
	if (!power_fits(v[0], v[2] + 1)) {
		diag(s->d, D_LLQUANT_MAGTOOBIG, sema_arg(call, 3)->span,
		     "llquantize( ) factor (%lld) raised to the high "
		     "magnitude (%lld) plus one does not fit 64 bits",
		     (long long)v[0], (long long)v[2]);
		return false;
	}
	return true;
}

/* The width of a bucket is factor^(k+1) / n in magnitude k, or 1 where that is
 * less.  The first width above 1 decides: all later ones are multiples of it. */
static bool
check_widths(struct sema *s, const struct ast_node *call, const int64_t *v)
{
	int64_t factor = v[0], n = v[3], top = 1;

	for (int64_t k = 0; k <= v[2]; k++) {
		top *= factor;		/* fits: check_magnitudes() */
		if (k < v[1] || top < n)
			continue;
		if (top % n == 0)
			return true;
		diag(s->d, D_LLQUANT_STEPVAL, sema_arg(call, 4)->span,
		     "llquantize( ) number of steps (%lld) does not divide "
		     "magnitude %lld into buckets of one width: %lld / %lld "
		     "is no integer", (long long)n, (long long)k,
		     (long long)top, (long long)n);
		return false;
	}
	return true;
}

static bool
check_nsteps(struct sema *s, const struct ast_node *call, const int64_t *v)
{
	int64_t factor = v[0], n = v[3];
	const struct ast_node *a = sema_arg(call, 4);
	struct lang_span span = a ? a->span : call->span;

	if (n == 0 || (v[2] - v[1] + 1) * n > MAX_BUCKETS) {
		diag(s->d, D_LLQUANT_NSTEPVAL, span, "llquantize( ) number of "
		     "steps (%lld) must give 1 to %d buckets", (long long)n,
		     MAX_BUCKETS);
		return false;
	}
	if (n < factor && factor % n) {
		diag(s->d, D_LLQUANT_FACTORNSTEPS, span, "llquantize( ) "
		     "factor (%lld) must be a multiple of the number of "
		     "steps (%lld)", (long long)factor, (long long)n);
		return false;
	}
	if (n > factor && (n % factor || !divides_power(n, factor))) {
		diag(s->d, D_LLQUANT_FACTOREVEN, span, "llquantize( ) number "
		     "of steps (%lld) must be a multiple of the factor "
		     "(%lld) and divide a power of it", (long long)n,
		     (long long)factor);
		return false;
	}
	return check_widths(s, call, v);
}

bool
sema_llquantize(struct sema *s, struct sema_agg *g, struct ast_node *call)
{
	int64_t v[4] = { 0, 0, 0, 1 };

	if (!read_params(s, call, llquant, 4, v) ||
	    !check_magnitudes(s, call, v) || !check_nsteps(s, call, v) ||
	    !match_params(s, g, call, llquant, 4, v))
		return false;
	g->id.agg_arg = ABI_LLQ_ARG(v[0], v[1], v[2], v[3]);
	return true;
}

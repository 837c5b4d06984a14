/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Options: opt.def expanded, and one reader per kind of value.
 *
 * Setting goes through the same questions whoever asks, in this order: is
 * there such an option, may this source set it, may it change now, is the value
 * one.  Only then does the order of the sources
 * (enum opt_from) decide whether the value is kept, so that a bad value is
 * reported even when a stronger source has spoken.
 */
#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/base.h"
#include "opt/opt.h"
#include "util/alloc.h"

enum opt_kind { OPT_KIND_BOOL, OPT_KIND_SIZE, OPT_KIND_SIZE0, OPT_KIND_RATE, OPT_KIND_INT,
		OPT_KIND_STR, OPT_KIND_PATH, OPT_KIND_PATHS, OPT_KIND_SETENV,
		OPT_KIND_UNSETENV, OPT_KIND_POLICY,
		OPT_KIND_RESIZE, OPT_KIND_EVALTIME, OPT_KIND_ENCODING,
		OPT_KIND_OFORMAT, OPT_KIND_STDC, OPT_KIND_PIDRETURN, OPT_KIND_USDTWAIT };

static const struct opt {
	const char *name, *text;	/* text: default */
	uint8_t phase, kind;
} opts[] = {
#define OPT(NAME, name, phase, kind, text) \
	{ name, text, OPT_PHASE_##phase, OPT_KIND_##kind },
#include "opt/opt.def"
#undef OPT
};

_Static_assert(BASE_NELEMS(opts) == OPT_N, "one row per id");

static const struct { const char *why, *names; } ignored[] = {
#define IGNORED(why, names) { why, names },
#include "opt/ignored.def"
#undef IGNORED
};

struct word {
	const char *text;
	int64_t value;
};

static const int64_t NS_PER_S = 1000000000;

/* --- Readers: false when the text is no such value ------------------------ */

static bool
find_word(const struct word *words, size_t n, const char *text, int64_t *ret)
{
	for (size_t i = 0; i < n; i++) {
		if (!strcasecmp(words[i].text, text)) {
			*ret = words[i].value;
			return true;
		}
	}
	return false;
}

static bool
read_bool(const char *text, int64_t *ret)
{
	static const struct word words[] = {
		{ "yes", 1 }, { "no", 0 }, { "enable", 1 }, { "disable", 0 },
		{ "enabled", 1 }, { "disabled", 0 }, { "true", 1 },
		{ "false", 0 }, { "on", 1 }, { "off", 0 }, { "set", 1 },
		{ "unset", 0 },
	};
	char *end;

	if (find_word(words, BASE_NELEMS(words), text, ret))
		return true;
	if (!isdigit((unsigned char)text[*text == '-']))
		return false;
	*ret = strtoll(text, &end, 0) != 0;	/* one too large is not 0 */
	return !*end;
}

/* Digits (0 and 0x as in C); *end is what follows. */
static bool
read_digits(const char *text, int64_t *ret, const char **end)
{
	char *stop;

	if (!isdigit((unsigned char)text[0]))
		return false;
	errno = 0;
	uintmax_t v = strtoumax(text, &stop, 0);
	if (errno || v > INT64_MAX)
		return false;
	*ret = (int64_t)v;
	*end = stop;
	return true;
}

static bool
read_size0(const char *text, int64_t *ret)
{
	static const struct word units[] = {
		{ "", 1 }, { "k", 1LL << 10 }, { "m", 1LL << 20 },
		{ "g", 1LL << 30 }, { "t", 1LL << 40 },
	};
	int64_t n, unit;
	const char *end;

	return read_digits(text, &n, &end) && n >= 0 &&
		find_word(units, BASE_NELEMS(units), end, &unit) &&
		!__builtin_mul_overflow(n, unit, ret);
}

static bool
read_size(const char *text, int64_t *ret)
{
	return read_size0(text, ret) && *ret > 0;
}

/* ns between two; 0 stands for 0. */
static bool
read_rate(const char *text, int64_t *ret)
{
	static const struct word units[] = {
		{ "ns", 1 }, { "nsec", 1 }, { "us", 1000 }, { "usec", 1000 },
		{ "ms", 1000000 }, { "msec", 1000000 }, { "s", 1000000000 },
		{ "sec", 1000000000 }, { "m", 60000000000 },
		{ "min", 60000000000 }, { "h", 3600000000000 },
		{ "hour", 3600000000000 }, { "d", 86400000000000 },
		{ "day", 86400000000000 }, { "hz", 0 }, { "", 0 },
	};
	int64_t n, unit;
	const char *end;

	if (!read_digits(text, &n, &end) ||
	    !find_word(units, BASE_NELEMS(units), end, &unit))
		return false;
	if (unit)
		return !__builtin_mul_overflow(n, unit, ret);
	if (n > NS_PER_S)
		return false;
	*ret = n ? NS_PER_S / n : 0;
	return true;
}

static bool
read_int(const char *text, int64_t *ret)
{
	int64_t n;
	const char *end;

	if (!read_digits(text, &n, &end) || *end || n > INT32_MAX)
		return false;
	*ret = n;
	return true;
}

/* The words of each kind that has a few. */
enum { WORDS_MAX = 8 };
static const struct word choices[][WORDS_MAX] = {
	[OPT_KIND_POLICY] = {
		{ "ring", OPT_POLICY_RING }, { "fill", OPT_POLICY_FILL },
		{ "switch", OPT_POLICY_SWITCH },
	},
	[OPT_KIND_RESIZE] = {
		{ "auto", OPT_RESIZE_AUTO }, { "manual", OPT_RESIZE_MANUAL },
	},
	[OPT_KIND_EVALTIME] = {
		{ "exec", OPT_EVAL_EXEC }, { "preinit", OPT_EVAL_PREINIT },
		{ "postinit", OPT_EVAL_POSTINIT }, { "main", OPT_EVAL_MAIN },
	},
	[OPT_KIND_PIDRETURN] = {
		{ "auto", OPT_PIDRETURN_AUTO }, { "ret", OPT_PIDRETURN_RET },
		{ "uretprobe", OPT_PIDRETURN_URETPROBE },
	},
	[OPT_KIND_USDTWAIT] = {
		{ "none", OPT_USDTWAIT_NONE }, { "stop", OPT_USDTWAIT_STOP },
	},
	[OPT_KIND_ENCODING] = {
		{ "ascii", OPT_ENCODING_ASCII }, { "utf8", OPT_ENCODING_UTF8 },
		{ "utf-8", OPT_ENCODING_UTF8 }, { "auto", OPT_UNSET },
	},
	[OPT_KIND_OFORMAT] = {
		{ "text", OPT_OFORMAT_TEXT }, { "json", OPT_OFORMAT_JSON },
		{ "jsonl", OPT_OFORMAT_JSONL },
		{ "folded", OPT_OFORMAT_FOLDED },
		{ "flamegraph", OPT_OFORMAT_FLAMEGRAPH },
		{ "html", OPT_OFORMAT_HTML },
		{ "perfetto", OPT_OFORMAT_PERFETTO },
	},
	[OPT_KIND_STDC] = {
		{ "a", OPT_DIALECT_A }, { "c", OPT_DIALECT_C },
		{ "s", OPT_DIALECT_S }, { "t", OPT_DIALECT_T },
	},
};

static size_t
nchoices(enum opt_kind kind)
{
	size_t n = 0;

	while (kind < BASE_NELEMS(choices) && n < WORDS_MAX &&
	       choices[kind][n].text)
		n++;
	return n;
}

/* Strings have no number; that one is there is all *ret says. */
static bool
read_text(const char *text, int64_t *ret)
{
	*ret = 1;
	return true;
}

/* NAME=VALUE */
static bool
read_setenv(const char *text, int64_t *ret)
{
	*ret = 1;
	return *text != '=' && strchr(text, '=');
}

/* NAME */
static bool
read_unsetenv(const char *text, int64_t *ret)
{
	*ret = 1;
	return *text && !strchr(text, '=');
}

#define SIZE_FORM "bytes, or a number of k, m, g or t of them, as 4m"

/* How a value is read, and what it must look like. */
static const struct {
	bool (*read)(const char *text, int64_t *ret);
	const char *form;
} kinds[] = {
	[OPT_KIND_BOOL] = { read_bool, "on or off" },
	[OPT_KIND_SIZE] = { read_size, SIZE_FORM },
	[OPT_KIND_SIZE0] = { read_size0, SIZE_FORM },
	[OPT_KIND_RATE] = { read_rate, "a time or a rate, as 100ms or 10hz" },
	[OPT_KIND_INT] = { read_int, "a number" },
	[OPT_KIND_STR] = { read_text, "a text" },
	[OPT_KIND_PATH] = { read_text, "a text" },
	[OPT_KIND_SETENV] = { read_setenv, "NAME=VALUE" },
	[OPT_KIND_UNSETENV] = { read_unsetenv, "NAME" },
	[OPT_KIND_PATHS] = { read_text, "a text" },
};

static bool
read_value(const struct opt *opt, const char *text, int64_t *ret)
{
	if (nchoices(opt->kind))
		return find_word(choices[opt->kind], nchoices(opt->kind), text,
				 ret);
	return kinds[opt->kind].read(text, ret);
}

static struct err *
bad_value(const struct opt *opt)
{
	size_t n = nchoices(opt->kind);
	struct sb b;

	sb_init(&b, 256);
	if (!n)
		sb_puts(&b, kinds[opt->kind].form);
	for (size_t i = 0; i < n; i++)
		sb_printf(&b, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ",
			  choices[opt->kind][i].text);
	struct err *e = err_new(ERR_INVALID, 0, "Invalid value for specified "
				"option (%s)", sb_str(&b));
	sb_fini(&b);
	return e;
}

/* --- Names ---------------------------------------------------------------- */

enum opt_id
opt_find(const char *name)
{
	for (unsigned i = 0; i < OPT_N; i++)
		if (!strcmp(opts[i].name, name))
			return i;
	return OPT_N;
}

const char *
opt_name(enum opt_id id)
{
	return (unsigned)id < OPT_N ? opts[id].name : NULL;
}

enum { NAME_MAX_LEN = 24, NEAR = 2 };

/* How many letters to insert, drop or change to turn a, in any case, into b. */
static unsigned
distance(const char *a, const char *b)
{
	unsigned row[NAME_MAX_LEN + 1];
	size_t na = strlen(a), nb = strlen(b);

	if (na > NAME_MAX_LEN || nb > NAME_MAX_LEN)
		return NAME_MAX_LEN;
	for (unsigned j = 0; j <= nb; j++)
		row[j] = j;
	for (unsigned i = 1; i <= na; i++) {
		unsigned corner = row[0];
		row[0] = i;
		for (unsigned j = 1; j <= nb; j++) {
			unsigned keep = corner + (tolower((unsigned char)
							  a[i - 1]) !=
						  b[j - 1]);
			corner = row[j];
			row[j] = BASE_MIN(keep, BASE_MIN(row[j - 1],
							 corner) + 1);
		}
	}
	return row[nb];
}

static struct err *
unknown_name(const char *name)
{
	unsigned best = NEAR + 1;
	const char *near = NULL;

	for (unsigned i = 0; i < OPT_N; i++) {
		unsigned d = distance(name, opts[i].name);
		if (d < best && d < strlen(opts[i].name)) {
			best = d;
			near = opts[i].name;
		}
	}
	if (near)
		return err_new(ERR_INVALID, 0, "Invalid option name (is \"%s\" "
			       "meant?)", near);
	return err_new(ERR_INVALID, 0, "Invalid option name");
}

/* Why an option of this name, none of ours, means nothing here; else NULL. */
static const char *
why_ignored(const char *name)
{
	size_t n = strlen(name), len;

	for (size_t i = 0; i < BASE_NELEMS(ignored); i++)
		for (const char *p = ignored[i].names; *p; p += len) {
			p += strspn(p, " ");
			len = strcspn(p, " ");
			if (len == n && !memcmp(p, name, n))
				return ignored[i].why;
		}
	return NULL;
}

/* --- Setting -------------------------------------------------------------- */

static bool
is_path(const struct opt *opt)
{
	return opt->kind == OPT_KIND_PATH || opt->kind == OPT_KIND_PATHS;
}

static bool
is_env(const struct opt *opt)
{
	return opt->kind == OPT_KIND_SETENV || opt->kind == OPT_KIND_UNSETENV;
}

/* One more thing to be done to the environment of commands. */
static struct err *
add_env(struct opt_set *o, const char *text)
{
	const char *old = o->s[OPT_SETENV];
	size_t n = 0, size = strlen(text) + 1;

	while (old && old[n])
		n += strlen(old + n) + 1;
	char *list = util_zalloc(n + size + 1);
	if (!list)
		return &err_nomem;
	if (n)
		memcpy(list, old, n);
	memcpy(list + n, text, size);
	util_free(o->s[OPT_SETENV]);
	o->s[OPT_SETENV] = list;
	return NULL;
}

/* a, a newline, b. */
static char *
join(const char *a, const char *b)
{
	size_t na = strlen(a), nb = strlen(b);
	char *both = util_alloc(na + nb + 2);

	if (!both)
		return NULL;
	memcpy(both, a, na);
	both[na] = '\n';
	memcpy(both + na + 1, b, nb + 1);
	return both;
}

/* Take the name that a definition begins with out of a list of names: a macro
 * that is defined after it was undefined is defined. */
static void
strike(char *list, const char *definition)
{
	size_t n = strcspn(definition, "=(");
	char *to = list, *from = list;

	while (from && *from) {
		size_t len = strcspn(from, "\n");
		size_t all = len + (from[len] == '\n');
		if (len != n || strncmp(from, definition, n)) {
			memmove(to, from, all);
			to += all;
		}
		from += all;
	}
	if (to)
		*to = '\0';
}

/* Keep a value that was found good. */
static struct err *
keep(struct opt_set *o, enum opt_id id, int64_t v, const char *text,
     enum opt_from from)
{
	if (opts[id].kind == OPT_KIND_STR || is_path(&opts[id])) {
		bool more = opts[id].kind == OPT_KIND_PATHS && o->s[id];
		char *copy = more ? join(o->s[id], text) : util_strdup(text);
		if (!copy)
			return &err_nomem;
		util_free(o->s[id]);
		o->s[id] = copy;
		if (id == OPT_DEFINE)
			strike(o->s[OPT_UNDEF], text);
	}
	o->v[id] = v;
	o->from[id] = (uint8_t)from;
	return NULL;
}

struct err *
opt_set_value(struct opt_set *o, const char *name, const char *value,
	      enum opt_from from, bool running)
{
	enum opt_id id = opt_find(name);
	int64_t v;

	if (id == OPT_N) {
		const char *why = why_ignored(name);
		return !why ? unknown_name(name) :
		       err_new(ERR_UNSUPPORTED, 0, "Option \"%s\" has no "
			       "effect: %s", name, why);
	}
	const struct opt *opt = &opts[id];
	if ((is_path(opt) || is_env(opt)) &&
	    (from == OPT_FROM_PRAGMA || from == OPT_FROM_LIBRARY))
		return err_new(ERR_INVALID, 0, "Option cannot be used from "
			       "within a D program");
	if (running && opt->phase != OPT_PHASE_D)
		return err_new(ERR_STATE, 0,
			       "Operation illegal when tracing is active");
	if (!value && opt->kind == OPT_KIND_BOOL)
		value = "on";
	if (!value || !read_value(opt, value, &v))
		return bad_value(opt);
	if (id == OPT_DESTRUCTIVE && v && from < OPT_FROM_PRAGMA)
		return err_new(ERR_INVALID, 0, "Only the command line (-w) and "
			       "the program itself can allow destructive "
			       "actions");
	if (is_env(opt))
		return add_env(o, value);
	return from < o->from[id] ? NULL : keep(o, id, v, value, from);
}

bool
opt_is_kept(enum opt_id id)
{
	const struct opt *opt = &opts[id];

	return id == OPT_DROPTAGS || id == OPT_NORESOLVE ||
	       id == OPT_TEMPORAL ||
	       (opt->phase == OPT_PHASE_D && (opt->kind == OPT_KIND_BOOL ||
		opt->kind == OPT_KIND_INT || opt->kind == OPT_KIND_ENCODING));
}

void
opt_restore(struct opt_set *o, const char *name, int64_t v)
{
	enum { MOST = 1 << 16 };	/* of a number of columns, or the like */
	enum opt_id id = opt_find(name);

	if (id == OPT_N || !opt_is_kept(id) || v < 0 || v > MOST ||
	    o->from[id] > OPT_FROM_ENV)
		return;
	if (opts[id].kind == OPT_KIND_ENCODING && v != OPT_ENCODING_ASCII &&
	    v != OPT_ENCODING_UTF8)
		return;
	o->v[id] = v;
	o->from[id] = OPT_FROM_ENV;
}

struct err *
opt_set_text(struct opt_set *o, const char *text, enum opt_from from,
	     bool running)
{
	const char *eq = strchr(text, '=');

	if (!eq)
		return opt_set_value(o, text, NULL, from, running);
	char *name = util_strndup(text, (size_t)(eq - text));
	if (!name)
		return &err_nomem;
	struct err *e = opt_set_value(o, name, eq + 1, from, running);
	util_free(name);
	return e;
}

struct err *
opt_init(struct opt_set *o)
{
	memset(o, 0, sizeof(*o));
	for (unsigned i = 0; i < OPT_N; i++) {
		const struct opt *opt = &opts[i];
		o->v[i] = opt->kind == OPT_KIND_BOOL ? 0 : OPT_UNSET;
		if (!*opt->text)
			continue;
		struct err *e = opt_set_value(o, opt->name, opt->text,
					      OPT_FROM_DEFAULT, false);
		if (e) {
			opt_fini(o);
			return e;
		}
	}
	return NULL;
}

void
opt_fini(struct opt_set *o)
{
	for (unsigned i = 0; i < OPT_N; i++) {
		util_free(o->s[i]);
		o->s[i] = NULL;
	}
}

/* --- The environment ------------------------------------------------------ */

static struct err *
set_from_env(struct opt_set *o, const char *var, const char *name,
	     struct sb *told)
{
	const char *eq = strchr(name, '=');
	size_t n = eq ? (size_t)(eq - name) : strlen(name);
	char *lower = util_strndup(name, n);

	if (!lower)
		return &err_nomem;
	for (char *c = lower; *c; c++)
		*c = (char)tolower((unsigned char)*c);
	struct err *e = opt_set_value(o, lower, eq && eq[1] ? eq + 1 : NULL,
				      OPT_FROM_ENV, false);
	util_free(lower);
	if (!e || e == &err_nomem)
		return e;
	int len = (int)BASE_MIN(n + (size_t)(name - var), 80);
	struct err *named = NULL;
	if (e->code == ERR_UNSUPPORTED)
		sb_printf(told, "%.*s: %s\n", len, var, e->text);
	else
		named = err_new(e->code, 0, "%.*s: %s", len, var, e->text);
	err_free(e);
	return named;
}

struct err *
opt_set_env(struct opt_set *o, char **env, struct sb *told)
{
	static const char prefix[] = "DTRACE_OPT_";

	for (; env && *env; env++)
		if (!strncmp(*env, prefix, sizeof(prefix) - 1))
			TRY(set_from_env(o, *env, *env + sizeof(prefix) - 1,
					 told));
	return NULL;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Programs that are large in one way or another: they run alike on both
 * engines, or the compiler names the limit that they meet.
 */
#include <stdio.h>
#include <string.h>

#include "base/base.h"
#include "diff.h"

static const char head[] =
	"#pragma D option scratchsize=1m\n"
	"int64_t x, y, a[int64_t, string]; self int64_t x; string s;\n"
	"BEGIN, diff::: { trace(timestamp); }\n";

/* before, then n times `more` (%u: which, from 0), then `middle`, then n times
 * `last`, then after. */
struct row {
	const char *name;
	unsigned n;
	const char *before, *more, *middle, *last, *after;
	const char *limit;	/* the diagnostic holds this text */
};

static const struct row rows[] = {
	/* Deep expressions. */
	{ "parentheses", 200, "diff::: { trace(", "(", "arg0", " + 1)",
	  "); }" },
	{ "operands to the right", 200, "diff::: { trace(", "(arg0 + arg1 * ",
	  "1", ")", "); }" },
	{ "?:", 200, "diff::: { trace(", "(arg0 ? arg1 : ", "1", ")", "); }" },
	{ "&& and ||", 100, "diff::: { trace(", "(arg0 && (arg1 || ", "1", "))",
	  "); }" },
	{ "casts", 200, "diff::: { trace(", "(int8_t)(", "arg0", " * 3)",
	  "); }" },
	{ "calls", 200, "diff::: { trace(", "strjoin(\"a\", ", "\"\"", ")",
	  "); }" },
	{ "?: of strings", 200, "diff::: { trace(", "(arg0 ? execname : ",
	  "\"\"", ")", "); }" },
	{ "comparisons", 200, "diff::: { trace(", "(arg1 < ", "1", ")",
	  "); }" },
	{ "assignments", 200, "diff::: { trace(", "(x += ", "arg0", ")",
	  "); }" },
	{ "ifs", 100, "diff::: { ", "if (arg0 > %u) { trace(1); ", "", "}",
	  "}" },
	{ "else-ifs", 150, "diff::: { ", "if (arg0 == %u) trace(1); else ",
	  "trace(2);", "", "}" },
	/* Long clauses. */
	{ "assignments", 500, "diff::: { ", "x = x + arg0;\n", "", "",
	  "trace(x); }" },
	{ "traces", 500, "diff::: { ", "trace(arg0);\n", "", "", "}" },
	{ "traces of strings", 500, "diff::: { ",
	  "trace(strjoin(execname, \"a\"));\n", "", "", "}" },
	{ "traces of strings", 3000, "diff::: { ",
	  "trace(strjoin(execname, \"a\"));\n", "", "", "}" },
	{ "stores of strings", 500, "diff::: { ",
	  "s = strjoin(probename, \"a\");\n", "", "", "trace(s); }" },
	{ "choices by arguments", 500, "diff::: { ",
	  "if (arg0 > %u) { x++; } else { y++; }\n", "", "", "trace(x); }" },
	{ "choices by two arguments", 500, "diff::: { ",
	  "x += arg1 > %u && arg2 < 400; y += arg0 / (arg3 + 1000);\n", "", "",
	  "trace(x); }" },
	{ "choices of a string", 500, "diff::: { ",
	  "x += execname == \"a%u\";\n", "", "", "trace(x); }" },
	{ "counts", 500, "diff::: { ", "@[execname, arg0] = count();\n", "", "",
	  "}" },
	{ "quantizes", 500, "diff::: { ", "@ = quantize(arg0);\n", "", "",
	  "}" },
	{ "thread-locals", 500, "diff::: { ", "self->x = self->x + %u;\n", "",
	  "", "trace(self->x); }" },
	{ "elements", 500, "diff::: { ",
	  "a[arg0, \"x\"] = a[arg1, \"y\"] + %u;\n", "", "",
	  "trace(a[arg0, \"x\"]); }" },
	{ "printfs", 500, "diff::: { ",
	  "printf(\"%%d %%s %%x\\n\", arg0, probename, arg1);\n", "", "",
	  "}" },
	/* Wide keys. */
	{ "key of an aggregation", 32, "diff::: { @[", "arg0, execname, ",
	  "1", "", "] = count(); }" },
	{ "key of strings", 32, "diff::: { s = \"x\"; @[", "s, arg0, ", "1", "",
	  "] = quantize(arg0); }" },
	{ "key of 300 numbers", 300, "diff::: { @[", "arg0, ", "1", "",
	  "] = count(); }" },
	{ "key of a table", 31, "diff::: { b[", "arg0, execname, ", "1, s", "",
	  "] = 7; }" },
	{ "key of a table of thread-locals", 31, "diff::: { self->b[",
	  "s, arg1, ", "1, s", "", "] = 7; }" },
	{ "key of calls", 31, "diff::: { b[", "strjoin(execname, \"a\"), arg0 + 1"
	  ", ", "1, s", "", "] = 7; }" },
	/* Limits. */
	{ "key of a table, 65 parts", 64, "diff::: { b[", "arg0, ", "1", "",
	  "] = 7; }", "[D_NOREG] line 4: Insufficient tuple registers to "
	  "generate code: b[ ] has 65 keys, and 64 is the most" },
	{ "terms", 1900, "diff::: { trace(",
	  "strlen(strjoin(probename, execname)) + ", "1", "", "); }",
	  "line 4: one statement compiles to more than 32,768 instructions" },
	{ "parentheses, 600", 600, "diff::: { trace(", "(", "arg0", " + 1)",
	  "); }", "[D_SYNTAX] line 4: " },
};

static void
repeat(struct sb *b, const char *text, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		for (const char *p = text; *p; p++)
			if (*p == '%' && p[1] == 'u')
				sb_printf(b, "%u", i), p++;
			else if (*p == '%')
				sb_putc(b, *p++);
			else
				sb_putc(b, *p);
}

static bool
run_row(const struct row *r)
{
	struct sb text, notes;

	sb_init(&text, 1 << 24);
	sb_init(&notes, 1 << 20);
	sb_puts(&text, head);
	sb_puts(&text, r->before);
	repeat(&text, r->more, r->n);
	sb_puts(&text, r->middle);
	repeat(&text, r->last, r->n);
	sb_puts(&text, r->after);
	enum diff_verdict v = diff_d(sb_str(&text), &notes, NULL);
	bool ok = r->limit ? (v == DIFF_NOT_D || v == DIFF_LIMIT) &&
			     strstr(sb_str(&notes), r->limit) != NULL
			   : v == DIFF_SAME;
	if (!ok)
		printf("# %u %s: %s\n", r->n, r->name, sb_str(&notes));
	sb_fini(&text);
	sb_fini(&notes);
	return ok;
}

static unsigned
test_sizes(void)
{
	unsigned bad = 0;

	for (size_t i = 0; i < BASE_NELEMS(rows); i++)
		bad += !run_row(&rows[i]);
	return bad;
}

int
main(void)
{
	static const struct diff_test tests[] = {
		{ "large programs", test_sizes },
	};

	return diff_main(tests, BASE_NELEMS(tests));
}

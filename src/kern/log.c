/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libbpf speaks through one callback of the process.  Ours keeps the last
 * thing said on this thread, for the error that follows, and is silent.  When
 * a program is refused, libbpf loads it again with a log and hands the log
 * over as one message; so a good load never pays for one.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "kern/kern_priv.h"
#include "util/alloc.h"
#include "util/cleanup.h"

static _Thread_local struct kern_log *current;

struct err *
kern_os_err(int os, const char *fmt, ...)
{
	char text[256];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	os = abs(os);
	return err_new(os == ENOMEM ? ERR_NOMEM : ERR_OS, os, "%s: %s", text,
		       strerror(os));
}

/* Statistics and markers at the end of a log, not the reason. */
static bool
is_noise(const char *line, size_t n)
{
	static const char *const starts[] = {
		"processed ", "verification time ", "stack depth ", "-- ",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (n >= strlen(starts[i]) &&
		    memcmp(line, starts[i], strlen(starts[i])) == 0)
			return true;
	return n == 0;
}

/* Put the last lines of text that fit into log->text, joined by "; ". */
static void
keep_tail(struct kern_log *log, const char *text)
{
	const char *end = text + strlen(text);
	size_t at = sizeof(log->text) - 1;	/* filled from its end */

	log->text[at] = '\0';
	while (end > text) {
		const char *line = end;
		while (line > text && line[-1] != '\n')
			line--;
		size_t n = (size_t)(end - line);
		size_t joint = log->text[at] ? 2 : 0;
		if (!is_noise(line, n)) {
			if (n + joint > at)
				break;
			memcpy(log->text + at - joint, "; ", joint);
			at -= n + joint;
			memcpy(log->text + at, line, n);
		}
		end = line > text ? line - 1 : text;
	}
	memmove(log->text, log->text + at, sizeof(log->text) - at);
}

static int
print(enum libbpf_print_level level, const char *fmt, va_list ap)
{
	bool is_log = strstr(fmt, "BEGIN PROG LOAD LOG") != NULL;

	if (!current || (level != LIBBPF_WARN && !(is_log && current->verbose)))
		return 0;
	CLEANUP(util_freep) char *text = NULL;
	va_list again;
	va_copy(again, ap);
	int n = vsnprintf(NULL, 0, fmt, again);
	va_end(again);
	if (n < 0 || !(text = util_alloc((size_t)n + 1)))
		return 0;
	vsnprintf(text, (size_t)n + 1, fmt, ap);
	if (is_log && current->verbose)
		fputs(text, stderr);
	/* The first complaint names the cause; those behind it say less.  One
	 * is no complaint: our objects have no line information. */
	if (level != LIBBPF_WARN || (current->text[0] && !is_log) ||
	    strstr(text, "missing .BTF.ext line info"))
		return 0;
	current->refused |= is_log;
	keep_tail(current, text);
	return 0;
}

void
kern_log_quiet(void)
{
	libbpf_set_print(print);
}

void
kern_log_open(struct kern_log *log, bool verbose)
{
	memset(log, 0, sizeof(*log));
	log->verbose = verbose;
	current = log;
	kern_log_quiet();
}

void
kern_log_close(void)
{
	current = NULL;
}

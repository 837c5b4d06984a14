/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What the kernel said, as errors.
 */
#include <stdlib.h>
#include <stdio.h>
#include <errno.h>
#include <string.h>
#include <bpf/libbpf.h>

#include "kern/kern_priv.h"

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

/* Statistics at the end of a log, not the reason. */
static bool
is_noise(const char *line, size_t n)
{
	static const char *const starts[] = {
		"processed ", "verification time ", "stack depth ",
	};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++)
		if (n >= strlen(starts[i]) &&
		    memcmp(line, starts[i], strlen(starts[i])) == 0)
			return true;
	return n == 0;
}

void
kern_log_tail(const char *log, char *ret, size_t size)
{
	const char *end = log + strlen(log);
	size_t at = size - 1;	/* ret is filled from its end */

	ret[at] = '\0';
	while (end > log) {
		const char *line = end;
		while (line > log && line[-1] != '\n')
			line--;
		size_t n = (size_t)(end - line);
		size_t joint = ret[at] ? 2 : 0;
		if (!is_noise(line, n)) {
			if (n + joint > at)
				break;
			memcpy(ret + at - joint, "; ", joint);
			at -= n + joint;
			memcpy(ret + at, line, n);
		}
		end = line > log ? line - 1 : log;
	}
	memmove(ret, ret + at, size - at);
}

void
kern_log_quiet(void)
{
	libbpf_set_print(NULL);
}

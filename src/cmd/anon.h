/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Anonymous tracing: what its files have for each other.
 *
 *	-A		save.c: writes a script that runs `dtrace --anon-start`
 *			with the program, and a unit that runs it early in a boot
 *	--anon-start	hold.c: traces in the background, with nobody to print
 *			for; tells when probes fire, and waits for a claim
 *	-a		claim.c: gives that process its files and options, has it
 *			print there, and tells it of signals
 *
 * doc/decisions/011 says why the one who traces is the one who prints.
 */
#ifndef CMD_ANON_H
#define CMD_ANON_H

#include "cmd/cmd_priv.h"

/* Where things are, below the root that --anon-root names. */
#define ANON_SCRIPT "etc/dtrace/anonymous"
#define ANON_COPIES "etc/dtrace/anonymous.d"
#define ANON_UNITS "etc/systemd/system"
#define ANON_WANTS ANON_UNITS "/sysinit.target.wants"
#define ANON_UNIT "dtrace-anonymous.service"
#define ANON_RUN "run/dtrace"
#define ANON_SOCKET ANON_RUN "/anonymous.socket"
#define ANON_WORDS ANON_RUN "/anonymous"	/* what the holder says; locked by it */

/*
 * A claim is one packet and its descriptors.  The packet is lines of text, each
 * ended by a NUL; the first byte of a line is one of these.  Then each packet from
 * the claimer counts as a signal, and the one packet from the holder is the status
 * to leave with.
 */
enum anon_line {
	ANON_HELLO = 'a',		/* the first one; who claims */
	ANON_OPTION = 'x',		/* name or name=value, as of -x */
	ANON_ENV = 'e',			/* NAME=value */
	ANON_UTF8 = 'u',		/* the locale's encoding */
	ANON_END = 'E',			/* show what is there, and end */
};
enum { ANON_PACKET = 64 << 10 };	/* bytes, at most */

/* Descriptors of a claim, in this order; the last: where -o leads. */
enum anon_fd { ANON_STDOUT, ANON_STDERR, ANON_CWD, ANON_OUTPUT, ANON_NFDS };

/* The path of a file below the root; borrowed until the next call but three. */
const char *cmd_anon_path(const char *name);
/* Make the folders that path lies in, those that are not there; false: errno. */
bool cmd_anon_folders(const char *path, mode_t mode);

#endif

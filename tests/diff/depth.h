/* SPDX-License-Identifier: BSD-2-Clause
 *
 * How deep the stack of a loaded program becomes, as the strictest kernel
 * counts: each frame as a multiple of 32 bytes, and the frames of all that may
 * be active at once, 512 bytes at most.  (From Linux 6.8 on frames are
 * multiples of 16; so a program that loads here may still be refused elsewhere.)
 */
#ifndef DIFF_DEPTH_H
#define DIFF_DEPTH_H

#include <linux/bpf.h>
#include <stddef.h>

struct sb;

enum { DEPTH_MAX = 512, DEPTH_CALLS = 8 };

/* The depth of program insns; way gets the frames of the deepest chain, as
 * "208 (at 0) > 176 (at 300)". */
unsigned diff_depth(const struct bpf_insn *insns, size_t n, struct sb *way);

/* The deepest program since the last call, and its chain: arena or static
 * text, valid until then. */
unsigned diff_depth_seen(const char **way);

#endif

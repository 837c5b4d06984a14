/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The world of the reference engine: what it asks and what it hands out.  ctx is
 * cfg.ctx.  A NULL function says no to everything.
 */
#ifndef VM_ENV_H
#define VM_ENV_H

#include "abi/agg.h"

struct vm_env {
	/* Read n > 0 bytes of kernel or user memory into buf; false when
	 * any of them cannot be read (buf may then hold anything). */
	bool (*load)(void *ctx, uint64_t addr, void *buf, size_t n);
	bool (*uload)(void *ctx, uint64_t addr, void *buf, size_t n);
	/* Write n > 0 bytes to user memory; false when not all can be. */
	bool (*ustore)(void *ctx, uint64_t addr, const void *buf, size_t n);
	/* A built-in variable (enum dif_bvar), index for arrays.  A string is
	 * the address of NUL-terminated bytes in a region of cfg.regions, or
	 * where env->load reads them.  False: ILLOP. */
	bool (*bvar)(void *ctx, uint32_t id, uint64_t index, uint64_t *ret);
	uint32_t (*rand)(void *ctx);
	bool (*progenyof)(void *ctx, int64_t pid);
	/* A subroutine that asks about the kernel's own (d_path(), getf(),
	 * mutex_*(), rw_*()): its result; that of d_path() is the address of a
	 * string, as for bvar.  False: BADADDR with arg. */
	bool (*ask)(void *ctx, uint32_t subr, uint64_t arg, uint64_t *ret);
	/* What an ACT node asks for (enum abi_action_kind), value its argument
	 * or 0.  False: it cannot be done, ILLOP. */
	bool (*act)(void *ctx, uint32_t act, uint64_t value);
	/* The path of a dentry of a mounted file system into dst, its first
	 * size - 1 bytes at most; false: it cannot be read. */
	bool (*path)(void *ctx, uint64_t mnt, uint64_t dentry, char *dst,
		     uint32_t size);
	/* Fill at most max frames, innermost first; the number filled. */
	uint32_t (*stack)(void *ctx, bool user, uint64_t *pcs, uint32_t max);

	/* Room for a record, 8-byte aligned; NULL: none left.  Then exactly
	 * one of commit and discard. */
	void *(*reserve)(void *ctx, size_t size);
	void (*commit)(void *ctx, void *record);
	void (*discard)(void *ctx, void *record);
	/* The cells of agg at key (agg->key_size bytes), made when missing;
	 * NULL: no room.  Borrowed until the next call. */
	uint64_t *(*cells)(void *ctx, const struct abi_agg_desc *agg,
			   const void *key);
};

#endif

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What differs between engines.  Those that may be NULL say so.
 */
#ifndef ENGINE_OPS_H
#define ENGINE_OPS_H

#include "engine/process.h"

struct engine_ops {
	const char *name;
	struct err *(*prepare)(struct engine *e);
	struct err *(*attach)(struct engine *e);
	struct err *(*fire)(struct engine *e, enum prov_trigger which);
	struct err *(*start)(struct engine *e);
	/* As engine_add(), engine_attach_again() and engine_epid(). */
	struct err *(*add)(struct engine *e, uint32_t point, size_t probe,
			   size_t site);
	struct err *(*again)(struct engine *e, int pid, enum engine_first first,
			     uint64_t time_ns);
	/* Can be NULL, both.  As engine_process_over() and engine_file_over(). */
	void (*over)(struct engine *e, uint64_t life);
	void (*file_over)(struct engine *e, const char *file);
	bool (*epid)(const struct engine *e, uint32_t epid,
		     struct plan_epid *ret);
	/* Can be NULL, both: what is due at times while tracing; when it is due
	 * next, in ns, UINT64_MAX: never. */
	void (*turn)(struct engine *e, uint64_t now_ns);
	/* Can be NULL.  As engine_process(). */
	void (*process)(struct engine *e, int pid, enum engine_process what);
	/* Can be NULL.  As engine_program(). */
	void (*program)(struct engine *e, const char *path);
	uint64_t (*due)(const struct engine *e);
	struct err *(*stop)(struct engine *e);
	/* Bytes that wait in the fullest buffer. */
	size_t (*pending)(const struct engine *e);
	/* The i-th descriptor that becomes readable when records wait; -1: there
	 * are no more. */
	int (*fd)(const struct engine *e, unsigned i);
	/* May a speculation end at any time? */
	bool (*speculates)(const struct engine *e);
	void (*free)(struct engine *e);
};

#endif

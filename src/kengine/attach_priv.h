/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What is attached, and the rows of probes that are found by cookie.
 */
#ifndef KENGINE_ATTACH_PRIV_H
#define KENGINE_ATTACH_PRIV_H

#include "kengine/kengine_priv.h"

/* Probes found by cookie that a trace may have, and of them those whose names
 * programs may ask for, besides those that it has when it begins. */
enum { KENGINE_ROWS_MORE = 65536, KENGINE_NAMES_MORE = 16384 };

/* rows.c: before loading; after it: the rows of all points that are found by
 * cookie, and the names of all probes. */
struct err *kengine_rows_size(struct kengine *k);
struct err *kengine_rows_map(struct kengine *k);
void kengine_rows_unmap(struct kengine *k);
struct err *kengine_rows_fill(struct kengine *k);
/* One probe more at point number `point`; *ret: the cookie for its sites.
 * ERR_LIMIT: there is no room. */
struct err *kengine_row_add(struct kengine *k, uint32_t point,
			    const struct plan_probe *p, uint64_t *ret);
/* What the EPID means; false: nothing. */
bool kengine_epid(const struct kengine *k, uint32_t epid,
		  struct plan_epid *ret);

/* attach.c: ncpus flags, of the CPUs that are there now; in the arena, NULL
 * without memory. */
uint8_t *kengine_online(struct kengine *k);
/* On the CPU that the option asks for, if any, and if it may, run the calling
 * thread from now on. */
void kengine_pin(const struct kengine *k);
struct err *kengine_attach(struct kengine *k);
/* Sites, from number `from` on, of a point that is found by cookie.  cookie: what
 * with the number of its probe makes that of a site.  Those that the kernel refuses are
 * told to the engine's warn. */
struct err *kengine_attach_sites(struct kengine *k, uint32_t point, size_t from,
				 uint64_t cookie);
void kengine_links_fini(struct kengine_links *l);
/* As engine_attach_again(). */
struct err *kengine_attach_again(struct kengine *k, int pid, enum engine_first first,
				 uint64_t time_ns);
/* As engine_process_over() and engine_file_over(). */
void kengine_leave(struct kengine *k, uint64_t life);
void kengine_leave_file(struct kengine *k, const char *file);
struct err *kengine_attach_rawtp(int prog, const char *target,
				 struct kern_link **ret);
/* Firings that the kernel itself skipped. */
uint64_t kengine_missed(struct kengine *k);
/* Who wants to know everything is told why, at the end. */
void kengine_missed_tell(struct kengine *k);
void kengine_detach(struct kengine *k);

#endif

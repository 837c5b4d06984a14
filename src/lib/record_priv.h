/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Firings as the classic calls describe them.
 */
#ifndef LIB_RECORD_PRIV_H
#define LIB_RECORD_PRIV_H

#include "base/base.h"
#include "consume/consume.h"
#include "dtrace/dtrace.h"
#include "util/sb.h"
#include "util/vec.h"

struct lib_record {
	dtrace_probedata_t data;
	dtrace_eprobedesc_t edesc;
	dtrace_probedesc_t pdesc;
	VEC(dtrace_recdesc_t) recs;
	struct sb bytes;	/* the record, and texts that it names */
	size_t at, end;		/* recs[at..end) are of the present action */
	bool open;		/* there is one */
};

void lib_record_init(struct lib_record *r);
void lib_record_fini(struct lib_record *r);
/* Describe a RECORD; what is there then stands until _close(). */
struct err *lib_record_open(dtrace_hdl_t *h, const struct consume_event *e);
void lib_record_close(dtrace_hdl_t *h);
/* fmt_out.before; ctx is the handle. */
struct err *lib_before(void *ctx, const struct consume_event *e,
		       const struct consume_step *s, bool *skip);
/* The public kind of a field, and the text of one that is a string. */
dtrace_fieldkind_t lib_field_kind(const struct abi_field *f);
struct base_span lib_field_string(const struct consume_meta *m,
				  const struct abi_field *f,
				  const uint8_t *base);
void lib_event_probe(dtrace_probedesc_t *d, const struct consume_event *e);
void lib_probedesc(dtrace_probedesc_t *d, uint32_t id, const char *prov,
		   const char *mod, const char *func, const char *name);

#endif

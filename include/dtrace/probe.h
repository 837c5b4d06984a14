/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Probes: what there is to trace.
 */
#ifndef DTRACE_PROBE_H
#define DTRACE_PROBE_H

#include "dtrace/handle.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum {
	DTRACE_PROBESPEC_NONE = -1, DTRACE_PROBESPEC_PROVIDER = 0,
	DTRACE_PROBESPEC_MOD, DTRACE_PROBESPEC_FUNC, DTRACE_PROBESPEC_NAME
} dtrace_probespec_t;

#define DTRACE_PROVNAMELEN 64
#define DTRACE_MODNAMELEN 64
#define DTRACE_FUNCNAMELEN 192
#define DTRACE_NAMELEN 64

/* What is longer is cut here; dtrace_probename_t has names of any length. */
typedef struct dtrace_probedesc {
	dtrace_id_t dtpd_id;
	char dtpd_provider[DTRACE_PROVNAMELEN];
	char dtpd_mod[DTRACE_MODNAMELEN];
	char dtpd_func[DTRACE_FUNCNAMELEN];
	char dtpd_name[DTRACE_NAMELEN];
} dtrace_probedesc_t;

/* Return nonzero to end the walk; it is the result then.  The description is
 * borrowed for the call. */
typedef int dtrace_probe_f(dtrace_hdl_t *, const dtrace_probedesc_t *,
			   void *arg);

/* Probes that the description matches, in order of id; NULL: all. */
int dtrace_probe_iter(dtrace_hdl_t *, const char *desc,
		      dtrace_probespec_t spec, dtrace_probe_f *, void *arg);

typedef struct dtrace_probename {
	dtrace_id_t id;
	const char *provider, *module, *function, *name;
} dtrace_probename_t;

/* The same for names of any length. */
typedef int dtrace_probename_f(dtrace_hdl_t *, const dtrace_probename_t *,
			       void *arg);
int dtrace_probe_walk(dtrace_hdl_t *, const char *desc,
		      dtrace_probespec_t spec, dtrace_probename_f *,
		      void *arg);

typedef struct dtrace_attribute {
	uint8_t dtat_name, dtat_data, dtat_class;
} dtrace_attribute_t;

/* What is known of a probe. */
typedef struct dtrace_probeinfo {
	dtrace_attribute_t dtp_attr;	/* of its name */
	dtrace_attribute_t dtp_arga;	/* of its arguments */
	int dtp_argc;			/* those with types; -1: unknown */
} dtrace_probeinfo_t;
int dtrace_probe_info(dtrace_hdl_t *, const dtrace_probedesc_t *,
		      dtrace_probeinfo_t *);
/* The type of its args[n] as text, which lives as long as the handle; NULL: it
 * has none. */
const char *dtrace_probe_argtype(dtrace_hdl_t *, const dtrace_probedesc_t *,
				 unsigned int n);
/* The words for an attribute: "Evolving"; "Common".  Static. */
const char *dtrace_stability_name(uint8_t);
const char *dtrace_class_name(uint8_t);

#ifdef __cplusplus
}
#endif

#endif

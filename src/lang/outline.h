/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Which names a library defines, found without parsing it.
 */
#ifndef LANG_OUTLINE_H
#define LANG_OUTLINE_H

#include "base/base.h"
#include "lang/diag.h"

enum lang_name_kind {
	LANG_NAME_IDENT,	/* inline, variable, enumerator, function */
	LANG_NAME_TYPE,		/* typedef */
	LANG_NAME_TAG,		/* of a struct, union or enum with a body */
	LANG_NAME_XLATOR,	/* the output type of a translator, its last
				 * word */
	LANG_NAME_SPACE,	/* namespace; what is in it is not told */
};

/* Who wants to know.  Names are spans of the text; each function answers false
 * to end it (out of memory). */
struct lang_outline {
	void *ctx;
	bool (*name)(void *ctx, enum lang_name_kind kind,
		     struct base_span name);
	/* #pragma D depends_on KIND NAME; span: the line's.  May be NULL. */
	bool (*depends)(void *ctx, struct base_span kind,
			struct base_span name, struct lang_span span);
};

/*
 * Tell the names of src's text from..to in its order, some more than once; a
 * '}' that closes nothing is the end, too.
 * What is not D gives no diagnostic, and perhaps names that are none: whoever
 * compiles the text will see.  False when told to end.
 */
bool lang_outline(const struct lang_source *src, uint32_t from, uint32_t to,
		  const struct lang_outline *o);

#endif

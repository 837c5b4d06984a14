/* SPDX-License-Identifier: BSD-2-Clause
 *
 * libdw, loaded when somebody asks for it: it and what it needs would cost every
 * start of ours a millisecond, and a machine may be without.
 */
#include <dlfcn.h>
#include <string.h>

#include "sym/libdw.h"

static struct err *
load(struct libdw *l)
{
	void *lib = dlopen("libdw.so.1", RTLD_NOW | RTLD_LOCAL);

	if (!lib)
		return err_new(ERR_UNSUPPORTED, 0, "debugging information "
			       "cannot be read: there is no libdw.so.1");
#define FN(name) \
	l->name = (__typeof__(name) *)dlsym(lib, #name); \
	if (!l->name) \
		return err_new(ERR_UNSUPPORTED, 0, "libdw.so.1 has no %s()", \
			       #name);
#include "sym/libdw.def"
#undef FN
	return NULL;
}

struct err *
sym_libdw(const struct libdw **ret)
{
	static struct libdw one;
	static bool is_loaded;

	if (!is_loaded)
		TRY(load(&one));
	is_loaded = true;
	*ret = &one;
	return NULL;
}

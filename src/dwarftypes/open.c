/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Where the debugging information of an object is: in itself, or in the file that
 * sym_debug_open() finds.  What is common to several files (dwz) libdw finds from
 * there.
 *
 * Sections are read, not mapped: the file may be cut short while we look.
 */
#include <fcntl.h>
#include <unistd.h>

#include "dwarftypes/dwarftypes_priv.h"
#include "sym/debug.h"
#include "util/alloc.h"

static struct err *
open_dwarf(struct dwarftypes *d, int fd, const char *path)
{
	TRY(sym_debug_open(fd, path, NULL, &d->fd));
	TRY(sym_libdw(&d->lib));
	elf_version(EV_CURRENT);
	d->elf = elf_begin(d->fd, ELF_C_READ, NULL);
	if (d->elf)
		d->dwarf = sym_libdw_begin(d->lib, d->elf);
	d->word = gelf_getclass(d->elf) == ELFCLASS32 ? 4 : 8;
	if (!d->dwarf)
		return err_new(ERR_UNSUPPORTED, 0, "%s: its debugging "
			       "information cannot be read",
			       path ? path : d->module);
	return NULL;
}

struct err *
dwarftypes_open(struct arena *a, int fd, const char *path, const char *module,
		struct dwarftypes **ret)
{
	struct dwarftypes *d = util_zalloc(sizeof(*d));

	if (!d)
		return &err_nomem;
	d->arena = a;
	d->module = module;
	d->fd = -1;
	struct err *e = open_dwarf(d, fd, path);
	if (e) {
		dwarftypes_free(d);
		return e;
	}
	*ret = d;
	return NULL;
}

void
dwarftypes_free(struct dwarftypes *d)
{
	if (!d)
		return;
	if (d->dwarf)
		d->lib->dwarf_end(d->dwarf);
	if (d->elf)
		elf_end(d->elf);
	if (d->fd >= 0)
		close(d->fd);
	for (int i = 0; i < ENTRY_NKINDS; i++)
		hash_fini(&d->names[i]);
	hash_fini(&d->functions);
	hash_fini(&d->qualified);
	hash_fini(&d->nodes);
	util_free(d);
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Addresses and names.
 */
#include <string.h>

#include "lib/lib_priv.h"
#include "sym/names.h"
#include "sym/sym.h"

static int
found(dtrace_hdl_t *h, struct err *e, const struct sym *s, Elf64_Sym *sym,
      dtrace_syminfo_t *info)
{
	if (e)
		return lib_fail(h, e);
	if (sym)
		*sym = (Elf64_Sym){ .st_value = s->addr, .st_size = s->size };
	if (info)
		*info = (dtrace_syminfo_t){ s->module, s->name, 0 };
	return 0;
}

PUBLIC int
dtrace_lookup_by_addr(dtrace_hdl_t *h, uint64_t addr, Elf64_Sym *sym,
		      dtrace_syminfo_t *info)
{
	struct sym s = { 0 };
	struct err *e = sym_kernel_by_addr(session_kernel_symbols(h->s), addr,
					   &s);

	return found(h, e, &s, sym, info);
}

PUBLIC int
dtrace_lookup_by_name(dtrace_hdl_t *h, const char *object, const char *name,
		      Elf64_Sym *sym, dtrace_syminfo_t *info)
{
	struct sym s = { 0 };
	struct err *e = lib_need(name, "a name");

	if (!e)
		e = sym_kernel_by_name(session_kernel_symbols(h->s),
			object == DTRACE_OBJ_EVERY ? NULL : object, name, &s);

	return found(h, e, &s, sym, info);
}

/* --- Places ----------------------------------------------------------------- */

static void
find_place(dtrace_hdl_t *h, pid_t pid, uint64_t addr, struct sym_place *ret)
{
	struct sym_names *names = session_names(h->s);

	if (pid)
		sym_names_user(names, pid, addr, ret);
	else
		sym_names_kernel(names, addr, ret);
}

PUBLIC void
dtrace_lookup_frame(dtrace_hdl_t *h, pid_t pid, uint64_t addr,
		    dtrace_frame_t *ret)
{
	struct sym_place p;

	find_place(h, pid, addr, &p);
	*ret = (dtrace_frame_t){ p.addr, p.module, p.function, p.offset };
}

static int
print_place(const struct sym_place *p, char *str, int nbytes)
{
	struct sb text;

	sb_init(&text, 1 << 22);
	sym_place_print(p, &text);
	int n = snprintf(str, nbytes > 0 ? (size_t)nbytes : 0, "%s",
			 sb_str(&text));
	sb_fini(&text);
	return n;
}

PUBLIC int
dtrace_addr2str(dtrace_hdl_t *h, uint64_t addr, char *str, int nbytes)
{
	return dtrace_uaddr2str(h, 0, addr, str, nbytes);
}

PUBLIC int
dtrace_uaddr2str(dtrace_hdl_t *h, pid_t pid, uint64_t addr, char *str,
		 int nbytes)
{
	struct sym_place p;

	find_place(h, pid, addr, &p);
	return print_place(&p, str, nbytes);
}

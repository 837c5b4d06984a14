/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Keeps the facts of the system that programs read as variables of the kernel
 * (abi/kvar.h): what sysinfo(2), uname(2) and sysconf(3) say.  The load and the
 * free memory change all the time; once a second is as often as the kernel itself
 * works out the load, and more.  What does not change is written once, so
 * that nobody ever sees it half written.
 */
#include <string.h>
#include <sys/sysinfo.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"

enum { REFRESH_NS = 1000000000 };

static void
set_text(char to[ABI_UTS_LEN], const char *from)
{
	size_t n = strnlen(from, ABI_UTS_LEN - 1);

	if (strncmp(to, from, ABI_UTS_LEN) == 0)
		return;
	memcpy(to, from, n);
	memset(to + n, 0, ABI_UTS_LEN - n);
}

static void
set_names(struct abi_utsname *to)
{
	struct utsname u;

	if (uname(&u))
		return;
	set_text(to->sysname, u.sysname);
	set_text(to->nodename, u.nodename);
	set_text(to->release, u.release);
	set_text(to->version, u.version);
	set_text(to->machine, u.machine);
}

static void
set_numbers(struct abi_kvars *k)
{
	enum { FSHIFT = 11 };	/* of Linux's own avenrun */
	struct sysinfo i;

	if (sysinfo(&i))
		return;
	uint64_t unit = i.mem_unit ? i.mem_unit : 1;
	for (int n = 0; n < 3; n++) {
		uint64_t load = i.loads[n] >> (SI_LOAD_SHIFT - FSHIFT);
		k->hp_avenrun[n] = i.loads[n] << (16 - SI_LOAD_SHIFT);
		k->avenrun[n] = load;
		k->averunnable.ldavg[n] = (uint32_t)load;
	}
	k->averunnable.fscale = 1 << FSHIFT;
	k->physmem = i.totalram * unit / k->pagesize;
	k->freemem = i.freeram * unit / k->pagesize;
}

void
kengine_kvars_set(struct kengine *k)
{
	struct abi_kvars *v = &k->e.ctl->kvars;

	if (!k->code->uses_kvars)
		return;
	v->pagesize = (uint32_t)sysconf(_SC_PAGESIZE);
	v->pageshift = (uint32_t)__builtin_ctz(v->pagesize);
	v->hz = ABI_HZ;
	v->ncpus = (uint32_t)sysconf(_SC_NPROCESSORS_CONF);
	v->ncpus_online = (uint32_t)sysconf(_SC_NPROCESSORS_ONLN);
	set_numbers(v);
	set_names(&v->utsname);
	k->next_kvars = clock_ns() + REFRESH_NS;
}

uint64_t
kengine_kvars_next(const struct kengine *k)
{
	return k->code->uses_kvars ? k->next_kvars : UINT64_MAX;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Probes that a running program makes.
 *
 * A tracer finds a probe by a file that the process maps, and stands at an offset of
 * that file.  So we write a file (image.c), in memory where that is possible, map it as
 * a library would be, and call the functions in it.  Two things have to be so:
 *
 *	1. Code and counters are private mappings of the file, else the kernel neither
 *	   puts a breakpoint into the one nor counts in the other.
 *	2. What is shown stays where it is for as long as any thread may fire it.
 *
 * By 2, hiding does not unmap: pages without a file, with the same code and counters
 * of 0, take the place of the file's.  mremap() does that at once, as other threads
 * see it; one that stands at a breakpoint then goes on at the instruction that is
 * there now.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "usdt/usdt_priv.h"

#define PUBLIC __attribute__((visibility("default")))

#ifndef MFD_EXEC
#define MFD_EXEC 0x10u
#endif

static void
no_stub(uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f,
	uint64_t g, uint64_t h, uint64_t i, uint64_t j, uint64_t k, uint64_t l)
{
}

static const uint16_t no_counter;

/* --- Making ------------------------------------------------------------------ */

static bool
is_name(const char *s)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
	size_t n = s ? strspn(s, letters) : 0;

	return n && n < 64 && !s[n] && (*s < '0' || *s > '9');
}

PUBLIC dtrace_usdt_t *
dtrace_usdt_new(const char *provider)
{
	struct dtrace_usdt *u = NULL;

	if (!is_name(provider)) {
		errno = EINVAL;
		return NULL;
	}
	u = calloc(1, sizeof(*u));
	if (u && !(u->name = strdup(provider))) {
		free(u);
		u = NULL;
	}
	return u;
}

static void
free_probe(struct dtrace_usdt_probe *p)
{
	if (!p)
		return;
	free(p->name);
	free(p->types);
	free(p);
}

static int
check_name(const struct dtrace_usdt *u, const char *name)
{
	if (!is_name(name))
		return EINVAL;
	for (struct dtrace_usdt_probe *p = u->probes; p; p = p->next)
		if (!strcmp(p->name, name))
			return EEXIST;
	return 0;
}

PUBLIC dtrace_usdt_probe_t *
dtrace_usdt_add(dtrace_usdt_t *u, const char *name, const char *types)
{
	int wrong = check_name(u, name);
	struct dtrace_usdt_probe *p = wrong ? NULL : calloc(1, sizeof(*p));

	if (p) {
		p->name = strdup(name);
		p->types = strdup(types ? types : "");
		wrong = !p->name || !p->types ? ENOMEM :
			usdt_types(p) ? 0 : EINVAL;
	} else if (!wrong) {
		wrong = ENOMEM;
	}
	if (wrong) {
		free_probe(p);
		errno = wrong;
		return NULL;
	}
	p->stub = no_stub;
	p->counter = &no_counter;
	p->next = u->probes;
	u->probes = p;
	return p;
}

/* --- Showing ----------------------------------------------------------------- */

/* A file without a name in any folder, or -1.  Kernels before 6.3 do not know
 * MFD_EXEC, and need not be told. */
static int
open_file(const char *provider)
{
	char name[128];

	snprintf(name, sizeof(name), "dtrace-usdt-%s", provider);
	int fd = memfd_create(name, MFD_CLOEXEC | MFD_EXEC);
	if (fd < 0 && errno == EINVAL)
		fd = memfd_create(name, MFD_CLOEXEC);
	if (fd < 0)
		fd = open("/tmp", O_TMPFILE | O_RDWR | O_CLOEXEC, 0700);
	return fd;
}

static int
write_all(int fd, const unsigned char *p, size_t n)
{
	while (n) {
		ssize_t got = write(fd, p, n);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return -1;
		p += got;
		n -= (size_t)got;
	}
	return 0;
}

/* The code and, right behind it, the counters. */
static int
map_file(int fd, struct usdt_object *o)
{
	unsigned char *p = mmap(NULL, o->code + o->counters, PROT_NONE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -1;
	if (mmap(p, o->code, PROT_READ | PROT_EXEC, MAP_PRIVATE | MAP_FIXED,
		 fd, 0) == MAP_FAILED ||
	    mmap(p + o->code, o->counters, PROT_READ | PROT_WRITE,
		 MAP_PRIVATE | MAP_FIXED, fd, (off_t)o->code) == MAP_FAILED) {
		int e = errno;
		munmap(p, o->code + o->counters);
		errno = e;
		return -1;
	}
	o->at = p;
	return 0;
}

static int
map_image(const struct dtrace_usdt *u, const struct usdt_image *f,
	  struct usdt_object *o)
{
	int fd = open_file(u->name);

	if (fd < 0)
		return -1;
	int r = write_all(fd, f->p, f->len);
	if (!r)
		r = map_file(fd, o);
	int e = errno;
	close(fd);
	errno = e;
	return r;
}

PUBLIC int
dtrace_usdt_show(dtrace_usdt_t *u)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE), i = 0;
	struct usdt_image f = { 0 };
	struct usdt_places at;
	struct usdt_object *o;

	if (u->probes == u->shown)
		return 0;
	o = calloc(1, sizeof(*o));
	if (!o || !usdt_image(u, &f, &at)) {
		free(f.p);
		free(o);
		errno = ENOMEM;
		return -1;
	}
	o->code = at.code;
	o->counters = (f.len - at.code + page - 1) / page * page;
	o->stubs = at.stubs;
	int r = map_image(u, &f, o), e = errno;
	free(f.p);
	if (r) {
		free(o);
		errno = e;
		return -1;
	}
	for (struct dtrace_usdt_probe *p = u->probes; p != u->shown;
	     p = p->next, i++) {
		unsigned char *code = o->at + at.stubs + i * USDT_STUB;
		unsigned char *counter = o->at + at.counters + 2 * i;
		__atomic_store_n(&p->stub, (usdt_stub_fn *)(uintptr_t)code,
				 __ATOMIC_RELEASE);
		__atomic_store_n(&p->counter, (const uint16_t *)(void *)counter,
				 __ATOMIC_RELEASE);
	}
	o->n = i;
	o->next = u->objects;
	u->objects = o;
	u->shown = u->probes;
	return 0;
}

/* --- Hiding ------------------------------------------------------------------ */

/* Put pages of ours in the place of the file's. */
static int
replace(unsigned char *at, size_t size, int prot, const struct usdt_object *o)
{
	unsigned char *p = mmap(NULL, size, PROT_READ | PROT_WRITE,
				MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (p == MAP_FAILED)
		return -1;
	for (size_t i = 0; o && i < o->n; i++)
		memcpy(p + o->stubs + i * USDT_STUB, usdt_stub, USDT_STUB);
	__builtin___clear_cache((char *)p, (char *)p + size);
	if (!mprotect(p, size, prot) &&
	    mremap(p, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, at) !=
	    MAP_FAILED)
		return 0;
	int e = errno;
	munmap(p, size);
	errno = e;
	return -1;
}

PUBLIC int
dtrace_usdt_hide(dtrace_usdt_t *u)
{
	int r = 0;

	for (struct usdt_object *o = u->objects; o; o = o->next) {
		r |= replace(o->at, o->code, PROT_READ | PROT_EXEC, o);
		r |= replace(o->at + o->code, o->counters, PROT_READ, NULL);
	}
	return r;
}

PUBLIC void
dtrace_usdt_free(dtrace_usdt_t *u)
{
	if (!u)
		return;
	for (struct usdt_object *o = u->objects, *next; o; o = next) {
		next = o->next;
		munmap(o->at, o->code + o->counters);
		free(o);
	}
	for (struct dtrace_usdt_probe *p = u->probes, *next; p; p = next) {
		next = p->next;
		free_probe(p);
	}
	free(u->name);
	free(u);
}

/* --- Firing ------------------------------------------------------------------ */

PUBLIC int
dtrace_usdt_enabled(const dtrace_usdt_probe_t *p)
{
	return *__atomic_load_n(&p->counter, __ATOMIC_ACQUIRE) != 0;
}

PUBLIC void
dtrace_usdt_firev(const dtrace_usdt_probe_t *p, const uint64_t *args)
{
	uint64_t a[DTRACE_USDT_NARGS] = { 0 };

	if (!dtrace_usdt_enabled(p))
		return;
	memcpy(a, args, p->nargs * sizeof(a[0]));
	__atomic_load_n(&p->stub, __ATOMIC_ACQUIRE)(a[0], a[1], a[2], a[3],
		a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
}

PUBLIC void
dtrace_usdt_fire(const dtrace_usdt_probe_t *p, ...)
{
	uint64_t a[DTRACE_USDT_NARGS];
	va_list ap;

	va_start(ap, p);
	for (unsigned i = 0; i < p->nargs; i++)
		a[i] = va_arg(ap, uint64_t);
	va_end(ap);
	dtrace_usdt_firev(p, a);
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Debugging information that lies apart.  What is found by a name is looked at
 * before it is believed: the build ids must be the same, or, of files without one,
 * the check sum that the link tells.
 */
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/base.h"
#include "sym/debug.h"
#include "sym/debug_priv.h"
#include "sym/file.h"
#include "sym/open_priv.h"
#include "util/cleanup.h"

#define DEBUG_DIR "/usr/lib/debug"

enum {
	NOTE_MAX = 1 << 16,	/* bytes */
	NOTES_MAX = 64,
	PATH_SIZE = 4096,
};

/* --- Build ids ------------------------------------------------------------ */

size_t
sym_build_id(Elf *e, uint8_t id[SYM_ID_MAX])
{
	Elf_Scn *scn = NULL;
	int notes = 0;
	GElf_Shdr sh;

	while ((scn = elf_nextscn(e, scn)) && notes < NOTES_MAX) {
		Elf_Data *data;
		GElf_Nhdr nh;
		size_t name, desc, at = 0;

		if (!gelf_getshdr(scn, &sh) || sh.sh_type != SHT_NOTE ||
		    sh.sh_size > NOTE_MAX || !(data = elf_getdata(scn, NULL)))
			continue;
		notes++;
		while ((at = gelf_getnote(data, at, &nh, &name, &desc)))
			if (nh.n_type == NT_GNU_BUILD_ID && nh.n_namesz == 4 &&
			    memcmp((char *)data->d_buf + name, "GNU", 4) == 0 &&
			    nh.n_descsz > 1 && nh.n_descsz <= SYM_ID_MAX) {
				memcpy(id, (char *)data->d_buf + desc,
				       nh.n_descsz);
				return nh.n_descsz;
			}
	}
	return 0;
}

size_t
sym_elf_build_id(int fd, uint8_t id[SYM_BUILD_ID_MAX])
{
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open(fd);

	return e ? sym_build_id(e, id) : 0;
}

/* Where we are mapped, and our id. */
struct own {
	uint8_t *id;
	size_t n;
};

static bool
has_us(const struct dl_phdr_info *i)
{
	uint64_t us = (uintptr_t)sym_own_build_id;

	return BASE_ANY(k, i->dlpi_phnum,
			i->dlpi_phdr[k].p_type == PT_LOAD &&
			us - i->dlpi_addr - i->dlpi_phdr[k].p_vaddr <
			i->dlpi_phdr[k].p_memsz);
}

/* In the notes of a segment. */
static size_t
find_id(const uint8_t *p, size_t size, uint8_t id[SYM_BUILD_ID_MAX])
{
	Elf64_Nhdr h;

	while (size >= sizeof(h)) {
		memcpy(&h, p, sizeof(h));
		size_t name = base_align(h.n_namesz, 4), desc = base_align(h.n_descsz, 4);
		if (name + desc > size - sizeof(h))
			break;
		if (h.n_type == NT_GNU_BUILD_ID && h.n_namesz == 4 &&
		    !memcmp(p + sizeof(h), "GNU", 4) && h.n_descsz > 1 &&
		    h.n_descsz <= SYM_BUILD_ID_MAX) {
			memcpy(id, p + sizeof(h) + name, h.n_descsz);
			return h.n_descsz;
		}
		p += sizeof(h) + name + desc;
		size -= sizeof(h) + name + desc;
	}
	return 0;
}

static int
on_loaded(struct dl_phdr_info *i, size_t size, void *ctx)
{
	struct own *own = ctx;

	if (!has_us(i))
		return 0;
	for (int k = 0; k < i->dlpi_phnum && !own->n; k++)
		if (i->dlpi_phdr[k].p_type == PT_NOTE)
			own->n = find_id((const uint8_t *)(uintptr_t)(
				i->dlpi_addr + i->dlpi_phdr[k].p_vaddr),
				(size_t)i->dlpi_phdr[k].p_memsz, own->id);
	return 1;
}

size_t
sym_own_build_id(uint8_t id[SYM_BUILD_ID_MAX])
{
	struct own own = { id, 0 };

	dl_iterate_phdr(on_loaded, &own);
	return own.n;
}

bool
sym_same_build(Elf *a, Elf *b)
{
	uint8_t id[SYM_ID_MAX], other[SYM_ID_MAX];
	size_t n = sym_build_id(a, id);

	return n && sym_build_id(b, other) == n && memcmp(id, other, n) == 0;
}

int
sym_open_build(const uint8_t *id, size_t n, const char *dir)
{
	char path[256];
	int at = snprintf(path, sizeof(path), "%s/.build-id/%02x/", dir, id[0]);

	for (size_t i = 1; i < n && at > 0 && at + 8u < sizeof(path); i++)
		at += snprintf(path + at, sizeof(path) - (size_t)at, "%02x",
			       id[i]);
	if (at <= 0 || at + 8u >= sizeof(path))
		return -1;
	strcpy(path + at, ".debug");
	return open(path, O_RDONLY | O_CLOEXEC);
}

/* --- Files ---------------------------------------------------------------- */

/* Does the file have it, and not only room for it? */
static bool
has_info(Elf *e)
{
	GElf_Shdr sh;

	return (sym_elf_find_section(e, ".debug_info", &sh) ||
		sym_elf_find_section(e, ".zdebug_info", &sh)) &&
	       sh.sh_type != SHT_NOBITS;
}

/* As .gnu_debuglink has it. */
static uint32_t
check_sum(int fd)
{
	uint8_t buf[65536];
	uint32_t sum = 0;
	ssize_t n;

	for (off_t at = 0; (n = pread(fd, buf, sizeof(buf), at)) > 0; at += n)
		sum = (uint32_t)crc32(sum, buf, (uInt)n);
	return sum;
}

/* The file at path, if it is the one; else -1. */
static int
try_link(Elf *main, const char *path, uint32_t sum)
{
	uint8_t id[SYM_ID_MAX];
	int fd = open(path, O_RDONLY | O_CLOEXEC);

	if (fd < 0)
		return -1;
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open(fd);
	if (e && has_info(e) && (sym_same_build(main, e) ||
				 (!sym_build_id(main, id) &&
				  check_sum(fd) == sum)))
		return fd;
	close(fd);
	return -1;
}

static int
open_link(Elf *main, int fd, const char *path, const char *dir)
{
	static const char *const places[] = { "%.*s/%s", "%.*s/.debug/%s" };
	CLEANUP(sym_section_fini) struct sym_section link = { 0 };
	const char *slash = path ? strrchr(path, '/') : NULL;
	char buf[PATH_SIZE];
	uint32_t sum;
	int ret = -1;

	struct err *e = sym_elf_section(fd, ".gnu_debuglink", &link);
	size_t n = e ? 0 : strnlen(link.data, link.size);
	size_t at = base_align(n + 1, 4);
	err_free(e);
	if (!n || at + sizeof(sum) > link.size || !slash ||
	    memchr(link.data, '/', n))
		return -1;
	memcpy(&sum, (char *)link.data + at, sizeof(sum));
	for (int i = 0; i < 2 && ret < 0; i++) {
		snprintf(buf, sizeof(buf), places[i], (int)(slash - path), path,
			 (const char *)link.data);
		ret = try_link(main, buf, sum);
	}
	if (ret < 0) {
		snprintf(buf, sizeof(buf), "%s%.*s/%s", dir,
			 (int)(slash - path), path, (const char *)link.data);
		ret = try_link(main, buf, sum);
	}
	return ret;
}

static int
open_id(Elf *main, const char *dir)
{
	uint8_t id[SYM_ID_MAX];
	size_t n = sym_build_id(main, id);
	int fd = n ? sym_open_build(id, n, dir) : -1;

	if (fd < 0)
		return -1;
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open(fd);
	if (e && has_info(e) && sym_same_build(main, e))
		return fd;
	close(fd);
	return -1;
}

struct err *
sym_debug_open(int fd, const char *path, const char *dir, int *ret)
{
	CLEANUP(sym_elf_endp) Elf *e = sym_elf_open(fd);
	int other;

	if (!e)
		return err_new(ERR_FORMAT, 0, "not an ELF file");
	if (!dir)
		dir = DEBUG_DIR;
	if (has_info(e)) {
		other = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	} else {
		other = open_id(e, dir);
		if (other < 0)
			other = open_link(e, fd, path, dir);
		if (other < 0)
			return err_new(ERR_NOTFOUND, 0, "%s has no debugging "
				       "information", path ? path : "it");
	}
	if (other < 0)
		return err_new(ERR_OS, errno, "%s: %s", path ? path : "file",
			       strerror(errno));
	*ret = other;
	return NULL;
}

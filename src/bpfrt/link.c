/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Build tool: drop an object's line information of .BTF.ext, which generated
 * code has not and the kernel would check at every load, and pass the object
 * through libbpf's linker, which leaves out debugging sections and the text of
 * the lines.
 */
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <gelf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Offset of line_info_len in the header of .BTF.ext
 * (Documentation/bpf/btf.rst). */
enum { LINE_INFO_LEN = 20 };

/* The offset of a section in the file, 0 when there is none. */
static uint64_t
section(int fd, const char *name)
{
	uint64_t off = 0;
	size_t strs;
	Elf_Scn *scn = NULL;

	elf_version(EV_CURRENT);
	Elf *elf = elf_begin(fd, ELF_C_READ, NULL);
	if (!elf || elf_getshdrstrndx(elf, &strs))
		return 0;
	while ((scn = elf_nextscn(elf, scn))) {
		GElf_Shdr sh;
		if (gelf_getshdr(scn, &sh) &&
		    !strcmp(elf_strptr(elf, strs, sh.sh_name), name))
			off = sh.sh_offset;
	}
	elf_end(elf);
	return off;
}

static int
drop_lines(const char *path)
{
	int fd = open(path, O_RDWR);
	uint64_t off = fd < 0 ? 0 : section(fd, ".BTF.ext");
	uint32_t zero = 0;
	int bad = !off || pwrite(fd, &zero, 4, (off_t)off + LINE_INFO_LEN) != 4;

	if (fd >= 0)
		close(fd);
	return bad;
}

int
main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: link INPUT OUTPUT\n");
		return 2;
	}
	struct bpf_linker *l = bpf_linker__new(argv[2], NULL);
	int err = drop_lines(argv[1]) || !l ||
		bpf_linker__add_file(l, argv[1], NULL) || bpf_linker__finalize(l);

	bpf_linker__free(l);
	if (err)
		fprintf(stderr, "link: %s: cannot be linked\n", argv[1]);
	return err;
}

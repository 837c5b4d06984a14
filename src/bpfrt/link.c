/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Build tool: pass one BPF object through libbpf's linker, which leaves out
 * debugging sections.
 */
#include <bpf/libbpf.h>
#include <stdio.h>

int
main(int argc, char **argv)
{
	if (argc != 3) {
		fprintf(stderr, "usage: link INPUT OUTPUT\n");
		return 2;
	}
	struct bpf_linker *l = bpf_linker__new(argv[2], NULL);
	int err = !l || bpf_linker__add_file(l, argv[1], NULL) ||
		bpf_linker__finalize(l);

	bpf_linker__free(l);
	if (err)
		fprintf(stderr, "link: %s: cannot be linked\n", argv[1]);
	return err;
}

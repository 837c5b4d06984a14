/* SPDX-License-Identifier: BSD-2-Clause
 *
 * spaces ADDRESS: pointers of a process that hold an address of the kernel.
 */
#include <stdlib.h>
#include <unistd.h>

struct our_node {
	struct our_node *next, *many[2];
	union { char *text; const struct our_node *other; };
	struct our_node **to;
	char name[16];
};
typedef struct our_node *node_p;

struct our_node *bad;
node_p links[2];

int
main(int argc, char **argv)
{
	struct our_node n = { .name = "a process's" };

	bad = (struct our_node *)strtoul(argv[1], NULL, 16);
	n.next = n.many[1] = links[1] = bad;
	n.text = (char *)bad;
	n.to = &bad;
	return write(-1, &n, 5) == 0;
}

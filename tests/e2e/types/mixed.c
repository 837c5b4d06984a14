/* SPDX-License-Identifier: BSD-2-Clause
 *
 * A struct with all that is odd in C.
 */
#include <stdbool.h>
#include <unistd.h>

enum color { RED = -1, GREEN, BLUE = 7 };

struct mixed {
	enum color all[3];
	enum color one : 4;
	int : 3;
	signed low : 5;
	struct {
		union {
			struct { int x, y; };
			long both;
		};
		bool ok;
	};
	enum { ON = 1, OFF } state;
	int (*rows)[2];
	double real;
	float small;
	unsigned char mac[4];
	struct pair { enum color color; short n; } list[];
};

static struct {
	struct mixed m;
	struct pair behind[2];
} all = {
	{ { RED, BLUE, 3 }, BLUE, -3, { { { 1, 2 } }, true }, OFF, NULL, 1.5, 2.5f,
	  { 1, 2, 3, 200 } },
	{ { BLUE, 5 }, { GREEN, 6 } },
};

int
main(void)
{
	return write(-1, &all, 5) > 0;
}

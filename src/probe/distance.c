/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Edit distance, for "did you mean".  The usual table, row by row, with two
 * rows behind kept so that a swap of neighbours costs one.  Cells further
 * than max from the diagonal cannot end at or below max and are not computed.
 */
#include <string.h>

#include "probe/probe.h"

enum { MAXLEN = PROBE_FUNCLEN };	/* the longest field there is */

/* One cell from its neighbours; prev and prev2 are the rows above. */
static unsigned
cell(const char *a, const char *b, size_t i, size_t j, const unsigned *row,
     const unsigned *prev, const unsigned *prev2)
{
	unsigned best = prev[j - 1] + (a[i - 1] != b[j - 1]);

	best = BASE_MIN(best, prev[j] + 1);
	best = BASE_MIN(best, row[j - 1] + 1);
	if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
		best = BASE_MIN(best, prev2[j - 2] + 1);
	return best;
}

unsigned
probe_edit_distance(const char *a, const char *b, unsigned max)
{
	unsigned rows[3][MAXLEN + 1];
	size_t na = strlen(a), nb = strlen(b);

	max = BASE_MIN(max, (unsigned)MAXLEN);
	unsigned none = max + 1;
	if (na > MAXLEN || nb > MAXLEN ||
	    (na > nb ? na - nb : nb - na) > max)
		return none;
	for (size_t j = 0; j <= nb; j++)
		rows[0][j] = (unsigned)j;
	for (size_t i = 1; i <= na; i++) {
		unsigned *row = rows[i % 3], *prev = rows[(i + 2) % 3];
		const unsigned *prev2 = rows[(i + 1) % 3];
		size_t low = i > max ? i - max : 1;
		size_t high = BASE_MIN(nb, i + max);

		/* The borders of the band read as too far. */
		unsigned least = row[low - 1] = low == 1 ? (unsigned)i : none;
		if (high == i + max)
			prev[high] = none;
		for (size_t j = low; j <= high; j++) {
			row[j] = cell(a, b, i, j, row, prev, prev2);
			least = BASE_MIN(least, row[j]);
		}
		if (least > max)	/* rows never get better */
			return none;
	}
	return BASE_MIN(rows[na % 3][nb], none);
}

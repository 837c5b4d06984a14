/* SPDX-License-Identifier: BSD-2-Clause */
#include <stdint.h>
#include <string.h>

#include "util/vec.h"

bool
vec_grow_(void *v, size_t *cap, size_t n, size_t more, size_t elem)
{
	if (n <= *cap && *cap - n >= more)
		return true;
	if (more > SIZE_MAX / 4 / elem - n)
		return false;
	size_t want = *cap ? *cap * 2 : 8;
	if (want < n + more)
		want = n + more;

	void *old, *fresh;
	memcpy(&old, v, sizeof(old));
	fresh = util_realloc(old, want * elem);
	if (!fresh)
		return false;
	memcpy(v, &fresh, sizeof(fresh));
	*cap = want;
	return true;
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Reading buffers that overwrite (bpfrt/flight.h).  Nobody writes any more; what
 * is there is found from the newest back, once, and handed out from the oldest
 * on.
 *
 *  1. A record that is handed out lies in its ring, whatever the ring says.
 *  2. Each is handed out once.
 */
#include <assert.h>

#include "abi/flight.h"
#include "kengine/kengine_priv.h"
#include "kengine/parts_priv.h"
#include "kern/map.h"
#include "util/alloc.h"

struct place {
	uint32_t at, size;	/* of a record, without its mark */
};

struct flight_ring {
	VEC(struct place) places;	/* the newest first */
	size_t left;			/* places[0..left) are to be read */
	bool walked;
};

struct flight {
	uint8_t *area;		/* all rings */
	size_t size, stride;	/* bytes: mapped; of one ring */
	struct flight_ring *rings;
};

static size_t
stride(const struct kengine *k)
{
	return sizeof(struct abi_flight) + k->e.buffer_size;
}

static bool
is_used(const struct kengine *k)
{
	return kengine_opt(k, OPT_BUFPOLICY) == OPT_POLICY_RING &&
	       k->code->uses_rings;
}

struct err *
kengine_flight_size(struct kengine *k)
{
	if (!is_used(k))
		return NULL;
	TRY(kern_obj_need_map(k->obj, "dt_flight"));
	return kern_obj_set_map(k->obj, "dt_flight", (uint32_t)stride(k),
				k->nrings);
}

struct err *
kengine_flight_open(struct kengine *k)
{
	struct flight *f;
	void *p;

	if (!is_used(k))
		return NULL;
	f = util_zalloc(sizeof(*f));
	if (!f)
		return &err_nomem;
	k->flight = f;
	f->stride = stride(k);
	f->size = base_align(f->stride * k->nrings, 4096);
	f->rings = util_zalloc(k->nrings * sizeof(*f->rings));
	if (!f->rings)
		return &err_nomem;
	TRY(kern_map_mmap(kern_obj_map(k->obj, "dt_flight"), f->size, &p));
	f->area = p;
	return NULL;
}

void
kengine_flight_close(struct kengine *k)
{
	struct flight *f = k->flight;

	if (!f)
		return;
	for (unsigned i = 0; f->rings && i < k->nrings; i++)
		vec_fini(&f->rings[i].places);
	util_free(f->rings);
	if (f->area)
		kern_unmap(f->area, f->size);
	util_free(f);
}

/* From the newest back to the first that has been overwritten, or that makes no
 * sense.  False: no memory. */
static bool
walk(const uint8_t *area, uint64_t size, struct flight_ring *r)
{
	const struct abi_flight *f = (const void *)area;
	uint64_t pos = f->head, oldest = pos > size ? pos - size : 0;

	while (pos > oldest) {
		uint64_t end = (pos - 1) % size + 1;
		uint64_t mark = *(const uint64_t *)
			(const void *)(area + sizeof(*f) + end - 8);
		uint64_t n = mark & (ABI_FLIGHT_GAP - 1);
		if (mark >> 32 != ABI_FLIGHT_MARK(pos, 0) >> 32 || n < 8 ||
		    n % 8 || n > end || n > pos - oldest)
			break;
		struct place p = { (uint32_t)(end - n), (uint32_t)n - 8 };
		assert((uint64_t)p.at + p.size <= size);		/* 1 */
		if (!(mark & ABI_FLIGHT_GAP) && !vec_push(&r->places, p))
			return false;
		pos -= n;
	}
	r->left = r->places.n;
	r->walked = true;
	return true;
}

const void *
kengine_flight_next(struct kengine *k, unsigned ring, size_t *size)
{
	const struct flight *f = k->flight;

	if (!kengine_has_ended(k) || ring >= k->nrings)
		return NULL;
	struct flight_ring *r = &f->rings[ring];
	const uint8_t *area = f->area + ring * f->stride;
	if (!r->walked) {
		r->places.n = 0;
		if (!walk(area, k->e.buffer_size, r))
			return NULL;	/* no memory: again later */
	}
	if (!r->left)
		return NULL;
	assert(r->left <= r->places.n);					/* 2 */
	const struct place *p = &r->places.v[--r->left];
	assert((size_t)p->at + p->size <= k->e.buffer_size);		/* 1 */
	*size = p->size;
	return area + sizeof(struct abi_flight) + p->at;
}

/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * Strings that are paths: their parts, and cleaned.  Nothing is looked up.
 */

/*
 * Where the last component of a path lies, found in one walk from its start:
 * component [begin, end), and dir, the end of what stands before it without
 * its slashes.
 */
struct path_work {
	u64 off;
	u64 begin, end;		/* of the newest component */
	u64 dir;		/* end of the component before it */
	u64 slash;		/* the byte before was one, or none */
	u64 any;		/* a component was seen */
};

static long
path_step(u32 i, struct loop_ctx *c)
{
	struct path_work *w = WORK(path_work, c->slot);
	u64 b = byte_at(c->slot, w->off + i);

	if (!b)
		return 1;
	if (b == '/') {
		w->slash = 1;
		return 0;
	}
	if (w->slash) {
		w->dir = w->end;
		w->begin = i;
		w->any = 1;
	}
	w->slash = 0;
	w->end = i + 1;
	return 0;
}

/* The slot, with the path's parts in its work; NULL: a fault.  *n: its length. */
INLINE char *
path_walk(u64 index, u64 a, s64 *n)
{
	u64 off = dt_cfg.tmp_off;
	char *slot = slot_get(index);
	struct loop_ctx ctx = { slot };

	if (!slot)
		return NULL;
	*n = str_fetch(slot, off, a);
	*WORK(path_work, slot) = (struct path_work){ .off = off, .slash = 1 };
	if (*n > 0)
		slot_loop(slot, *n, path_step, &ctx);
	return *n < 0 ? NULL : slot;
}

/* A path of one character, over what was fetched. */
INLINE u64
put_dot(char *slot, char c)
{
	if (dt_cfg.tmp_off > dt_cfg.slot_size - 8)
		return 0;
	slot[dt_cfg.tmp_off] = c;
	return str_cut(slot, dt_cfg.tmp_off, 0, 1);
}

RT u64
rt_basename(u64 index, u64 a)
{
	s64 n;
	char *slot = path_walk(index, a, &n);

	if (!slot)
		return 0;
	struct path_work *w = WORK(path_work, slot);
	if (!n)
		return put_dot(slot, '.');
	if (!w->any)		/* only slashes */
		return str_cut(slot, w->off, 0, 1);
	return str_cut(slot, w->off, w->begin, w->end);
}

RT u64
rt_dirname(u64 index, u64 a)
{
	s64 n;
	char *slot = path_walk(index, a, &n);

	if (!slot)
		return 0;
	struct path_work *w = WORK(path_work, slot);
	if (w->dir)
		return str_cut(slot, w->off, 0, w->dir);
	/* "/foo" and "/" give "/", "foo" and "" give ".". */
	bool root = n && byte_at(slot, w->off) == '/';
	return put_dot(slot, root ? '/' : '.');
}

/*
 * cleanpath() goes from the end to the start, where a ".." is met before what
 * it takes away, so that counting them is all it takes.  Each byte is written
 * in front of what stays; when a component turns out to vanish, its bytes
 * are overwritten by what comes next.
 */
struct clean_work {
	u64 off, n;		/* the path */
	u64 at;			/* where the result begins so far */
	u64 mark;		/* the same, without the component being read */
	u64 len, dots;		/* of which: bytes, and only dots */
	u64 closed;		/* it has a slash behind it */
	u64 skip;		/* ".." that have not taken anything away */
};
_Static_assert(sizeof(struct clean_work) <=
	       sizeof(((struct abi_slot *)0)->work), "the state fits");

INLINE void
clean_put(char *slot, u64 c)
{
	put_before(slot, &WORK(clean_work, slot)->at, c);
}

/* The component is complete.  first: it begins the path. */
INLINE void
clean_end(struct clean_work *w, bool first)
{
	if (!w->closed)
		return;
	if (w->dots && w->len == 2) {
		w->skip++;
	} else if (w->dots && w->len == 1) {
		if (first && !w->skip)
			return;
	} else if (w->len) {
		if (!w->skip)
			return;
		w->skip--;
	} else if (first) {
		return;			/* the slash is the root */
	}
	w->at = w->mark;
}

static long
clean_step(u32 i, struct loop_ctx *c)
{
	struct clean_work *w = WORK(clean_work, c->slot);
	u64 b = byte_at(c->slot, w->off + w->n - 1 - i);

	if (b == '/') {
		clean_end(w, false);
		w->mark = w->at;
		w->len = 0;
		w->dots = w->closed = 1;
	} else {
		w->len++;
		w->dots &= b == '.';
	}
	clean_put(c->slot, b);
	return 0;
}

static long
clean_up(u32 i, struct loop_ctx *c)
{
	clean_put(c->slot, '/');
	clean_put(c->slot, '.');
	clean_put(c->slot, '.');
	return 0;
}

RT u64
rt_cleanpath(u64 index, u64 a)
{
	char *slot = slot_get(index);
	struct loop_ctx ctx = { slot };

	if (!slot)
		return 0;
	u64 off = dt_cfg.tmp_off, end = off + 2 * str_stride() - 8;
	s64 n = str_fetch(slot, off, a);
	if (n < 0)
		return 0;
	struct clean_work *w = WORK(clean_work, slot);
	*w = (struct clean_work){ .off = off, .n = n, .at = end, .mark = end,
				  .dots = 1 };
	slot_loop(slot, n, clean_step, &ctx);
	clean_end(w, true);
	if (n && byte_at(slot, off) != '/') {
		slot_loop(slot, w->skip, clean_up, &ctx);
		if (w->at == end) {
			clean_put(slot, '/');
			clean_put(slot, '.');
		}
	}
	return str_cut(slot, w->at, 0, end - w->at);
}

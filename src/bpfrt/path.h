/* SPDX-License-Identifier: BSD-2-Clause OR GPL-2.0
 *
 * What the current process was called with, and the paths it stands at.
 * Offsets into kernel structs are constants of dt_cfg, from BTF.
 *
 * A path is found from its end: from a directory to the one above, and from
 * the root of a mounted file system to the directory that it is mounted on,
 * until there is no mount above.  The walk is made twice: first it adds up
 * the length, then it writes each name where that length says.  So a path
 * longer than strsize loses its end, like any other string, and nothing has
 * to be moved.  No lock of the kernel's is held: when a directory is renamed
 * meanwhile, the path may be of old and new names, and when it does not come
 * out as long as it was measured, that is a fault, as is what cannot be read.
 */

/* --- Paths ---------------------------------------------------------------- */

enum { NAME_MAX = 255, WALK_MAX = 4096 };

struct walk_work {
	u64 dentry, mnt;	/* struct dentry *, struct mount * */
	u64 pos;		/* bytes: below us when measuring, up to us
				 * when writing */
	u64 dst;		/* in the slot; 0: measuring */
	u64 done;		/* nothing is above */
};

/* Write "/" and the name of dentry so that they end at w->pos. */
INLINE bool
walk_write(char *slot, struct walk_work *w, u64 len)
{
	u64 name, max = dt_cfg.strsize - 1;

	if (len + 1 > w->pos)	/* renamed since it was measured */
		return false;
	w->pos -= len + 1;
	u64 pos = w->pos, at = w->dst + pos;
	if (pos >= max)
		return true;
	OPAQUE(at);
	if (at > dt_cfg.slot_size - NAME_MAX - 1)
		return false;
	slot[at] = '/';
	u64 n = len < max - pos - 1 ? len : max - pos - 1;
	OPAQUE(n);
	if (n > NAME_MAX || !peek(w->dentry + dt_cfg.koff[ABI_KOFF_DENTRY_NAME],
				  &name))
		return false;
	return !n || !bpf_probe_read_kernel(slot + at + 1, n, (void *)name);
}

INLINE bool
walk_name(char *slot, struct walk_work *w)
{
	u32 len;

	if (bpf_probe_read_kernel(&len, 4, (void *)(w->dentry +
			dt_cfg.koff[ABI_KOFF_DENTRY_LEN])) || len > NAME_MAX)
		return false;
	if (w->dst)
		return walk_write(slot, w, len);
	w->pos += len + 1;
	return true;
}

/* From the root of a mounted file system to what it is mounted on. */
INLINE bool
walk_mount(struct walk_work *w)
{
	u64 up, point;

	if (!peek(w->mnt + dt_cfg.koff[ABI_KOFF_MOUNT_PARENT], &up) ||
	    !peek(w->mnt + dt_cfg.koff[ABI_KOFF_MOUNT_POINT], &point))
		return false;
	w->done = up == w->mnt;
	w->dentry = point;
	w->mnt = up;
	return true;
}

/* Ends the loop when there is nothing above, or with w->done unset when
 * something cannot be read. */
static long
walk_step(u32 i, struct loop_ctx *c)
{
	struct walk_work *w = WORK(walk_work, c->slot);
	u64 root, parent;

	if (!peek(w->mnt + dt_cfg.koff[ABI_KOFF_MOUNT_MNT] +
		  dt_cfg.koff[ABI_KOFF_VFSMOUNT_ROOT], &root) ||
	    !peek(w->dentry + dt_cfg.koff[ABI_KOFF_DENTRY_PARENT], &parent))
		return 1;
	if (w->dentry == root)
		return !walk_mount(w) || w->done;
	if (w->dentry == parent) {
		w->done = 1;
		return 1;
	}
	if (!walk_name(c->slot, w))
		return 1;
	w->dentry = parent;
	return 0;
}

/* Walk up from dentry of the mounted file system mnt (struct vfsmount); dst and
 * pos as in walk_work. */
INLINE bool
walk(char *slot, u64 mnt, u64 dentry, u64 dst, u64 pos)
{
	struct walk_work *w = WORK(walk_work, slot);
	struct loop_ctx ctx = { slot };

	*w = (struct walk_work){ .dentry = dentry, .dst = dst, .pos = pos,
		.mnt = mnt - dt_cfg.koff[ABI_KOFF_MOUNT_MNT] };
	slot_loop(slot, WALK_MAX, walk_step, &ctx);
	return w->done;
}

/* End a path of n bytes at dst of the slot; no names at all are "/". */
INLINE void
walk_end(char *slot, u64 dst, u64 n)
{
	if (n > dt_cfg.strsize - 1)
		n = dt_cfg.strsize - 1;
	u64 end = dst + (n ? n : 1);
	OPAQUE(dst);
	if (!n && dst < dt_cfg.slot_size)
		slot[dst] = '/';
	OPAQUE(end);
	if (end < dt_cfg.slot_size)
		slot[end] = 0;
}

/* The path of dentry in the mounted file system mnt. */
RT u64
rt_path(u64 index, u64 mnt, u64 dentry)
{
	char *slot = slot_get(index);

	if (!slot)
		return 0;
	u64 dst = str_room(slot);
	if (!dst)
		return 0;
	struct walk_work *w = WORK(walk_work, slot);
	if (!walk(slot, mnt, dentry, 0, 0))
		goto bad;
	u64 n = w->pos;
	if (n && (!walk(slot, mnt, dentry, dst, n) || w->pos))
		goto bad;
	walk_end(slot, dst, n);
	return str_addr(slot, dst);
bad:
	slot_fault(slot, ABI_FAULT_BADADDR, dentry);
	return 0;
}

/* The path of a directory of the current process; off_path: of which, in
 * struct fs_struct. */
RT u64
rt_fs_path(u64 index, u64 off_path)
{
	char *slot = slot_get(index);
	u64 fs = 0, mnt, dentry, task = bpf_get_current_task();

	if (!slot)
		return 0;
	if (!peek(task + dt_cfg.koff[ABI_KOFF_TASK_FS], &fs) || !fs ||
	    !peek(fs + off_path + dt_cfg.koff[ABI_KOFF_PATH_MNT], &mnt) ||
	    !peek(fs + off_path + dt_cfg.koff[ABI_KOFF_PATH_DENTRY],
		  &dentry)) {
		slot_fault(slot, ABI_FAULT_BADADDR, fs + off_path);
		return 0;
	}
	return rt_path(index, mnt, dentry);
}

/* Pipes, sockets and the like have names that the kernel makes up. */
INLINE bool
is_nowhere(u64 dentry)
{
	u64 ops, name;

	return peek(dentry + dt_cfg.koff[ABI_KOFF_DENTRY_OPS], &ops) && ops &&
	       peek(ops + dt_cfg.koff[ABI_KOFF_DENTRY_OPS_NAME], &name) && name;
}

INLINE u64
unknown_path(char *slot)
{
	static const char text[] = "<unknown>";
	u64 dst = str_room(slot);

	if (!dst)
		return 0;
	text_begin(slot);
	for (unsigned i = 0; i < sizeof(text) - 1; i++)
		text_put(slot, text[i]);
	return text_end(slot, dst);
}

/* The path of the struct path at addr. */
RT u64
rt_d_path(u64 index, u64 addr)
{
	char *slot = slot_get(index);
	struct abi_slot *s = (struct abi_slot *)slot;
	u64 mnt, dentry;

	if (!slot)
		return 0;
	u32 used = s->scratch_used;
	if (!str_room(slot))
		return 0;
	s->scratch_used = used;		/* for rt_path() to claim */
	if (!peek(addr + dt_cfg.koff[ABI_KOFF_PATH_MNT], &mnt) ||
	    !peek(addr + dt_cfg.koff[ABI_KOFF_PATH_DENTRY], &dentry)) {
		slot_fault(slot, ABI_FAULT_BADADDR, addr);
		return 0;
	}
	if (is_nowhere(dentry))
		return unknown_path(slot);
	return rt_path(index, mnt, dentry);
}

/* --- Open files --------------------------------------------------------- */

/* The struct file of a descriptor of the current process; 0: it is not
 * open. */
RT u64
rt_getf(u64 index, u64 fd)
{
	u64 files, fdt, table, file;
	u32 max;

	if (!peek(bpf_get_current_task() + dt_cfg.koff[ABI_KOFF_TASK_FILES],
		  &files) || !files ||
	    !peek(files + dt_cfg.koff[ABI_KOFF_FILES_FDT], &fdt) ||
	    bpf_probe_read_kernel(&max, 4, (void *)(fdt +
			dt_cfg.koff[ABI_KOFF_FDT_MAX])) || fd >= max ||
	    !peek(fdt + dt_cfg.koff[ABI_KOFF_FDT_FD], &table) ||
	    !peek(table + fd * 8, &file))
		return 0;
	return file;
}

/* --- Arguments ---------------------------------------------------------- */

struct args_work {
	u64 off;
};

static long
args_step(u32 i, struct loop_ctx *c)
{
	u64 off = WORK(args_work, c->slot)->off + i;

	OPAQUE(off);
	if (off >= dt_cfg.slot_size)
		return 1;
	if (!c->slot[off])
		c->slot[off] = ' ';
	return 0;
}

/* The arguments of the current process with blanks between; "" for a thread
 * of the kernel. */
RT u64
rt_execargs(u64 index)
{
	char *slot = slot_get(index);
	u64 mm = 0, start = 0, end = 0, task = bpf_get_current_task();

	if (!slot)
		return 0;
	u64 dst = str_room(slot);
	if (!dst)
		return 0;
	peek(task + dt_cfg.koff[ABI_KOFF_TASK_MM], &mm);
	if (mm) {
		peek(mm + dt_cfg.koff[ABI_KOFF_MM_ARG_START], &start);
		peek(mm + dt_cfg.koff[ABI_KOFF_MM_ARG_END], &end);
	}
	/* The last NUL ends the string. */
	u64 n = end > start ? end - start - 1 : 0;
	if (n > dt_cfg.strsize - 1)
		n = dt_cfg.strsize - 1;
	OPAQUE(n);
	OPAQUE(dst);
	if (n >= ABI_STRSIZE_MAX || dst > dt_cfg.slot_size - ABI_STRSIZE_MAX)
		return 0;
	if (n && bpf_probe_read_user(slot + dst, n, (void *)start)) {
		slot_fault(slot, ABI_FAULT_BADADDR, start);
		return 0;
	}
	WORK(args_work, slot)->off = dst;
	struct loop_ctx ctx = { slot };
	slot_loop(slot, n, args_step, &ctx);
	u64 nul = dst + n;
	OPAQUE(nul);
	if (nul < dt_cfg.slot_size)
		slot[nul] = 0;
	return str_addr(slot, dst);
}

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * Programs that load: one for each way in which kern attaches or runs programs
 * and touches maps.  What most of them saw is in `cells`.
 */
#include <stddef.h>
#include <linux/bpf.h>
#include <linux/bpf_perf_event.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "GPL";

const volatile __u64 base = 1;		/* .rodata: set before loading */

/* Resized by the test. */
struct {
	__uint(type, BPF_MAP_TYPE_HASH);
	__uint(max_entries, 1);
	__type(key, __u64);
	__type(value, __u64);
} counts SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__uint(map_flags, BPF_F_MMAPABLE);
	__type(key, __u32);
	__type(value, __u64[8]);
} cells SEC(".maps");

struct {
	__uint(type, BPF_MAP_TYPE_RINGBUF);
	__uint(max_entries, 4096);
} ring SEC(".maps");

static void
add(__u32 i, __u64 n)
{
	__u32 zero = 0;
	__u64 *v = bpf_map_lookup_elem(&cells, &zero);

	if (v && i < 8)
		__sync_fetch_and_add(&v[i], n);
}

/* base + first and last context word; counts in cell 0. */
SEC("raw_tp/sum")
int
sum(struct bpf_raw_tracepoint_args *ctx)
{
	add(0, 1);
	return base + ctx->args[0] + ctx->args[11];
}

/* The key of a hash element is the first context word. */
SEC("raw_tp/put")
int
put(struct bpf_raw_tracepoint_args *ctx)
{
	__u64 key = ctx->args[0], one = 1;

	return bpf_map_update_elem(&counts, &key, &one, BPF_ANY);
}

/* Cell 1: firings; cell 2: the sum of their cookies. */
SEC("perf_event")
int
sample(struct bpf_perf_event_data *ctx)
{
	add(1, 1);
	add(2, bpf_get_attach_cookie(ctx));
	return 0;
}

/* getppid() as seen on the tracepoint; cell 3. */
SEC("raw_tp/enter")
int
enter(struct bpf_raw_tracepoint_args *ctx)
{
	if (ctx->args[1] == 110)
		add(3, 1);
	return 0;
}

struct {
	__uint(type, BPF_MAP_TYPE_ARRAY);
	__uint(max_entries, 1);
	__type(key, __u32);
	__type(value, __u64);
} spare SEC(".maps");

/* Loaded when asked for; 1 << CPU. */
SEC("?raw_tp/where")
int
where(void *ctx)
{
	add(4, 1ULL << bpf_get_smp_processor_id());
	return 0;
}

/* Alone to use the spare map. */
SEC("?raw_tp/lonely")
int
lonely(void *ctx)
{
	__u32 zero = 0;

	return bpf_map_lookup_elem(&spare, &zero) != NULL;
}

/* A record of one word for each of the first args[0] numbers.  Cell 6: it began; cell 7: it
 * ended. */
SEC("raw_tp/emit")
int
emit(struct bpf_raw_tracepoint_args *ctx)
{
	int refused = 0;

	add(6, 1);
	for (__u64 i = 0; i < 1000; i++) {
		if (i >= ctx->args[0])
			break;
		__u64 *p = bpf_ringbuf_reserve(&ring, 8, 0);
		if (!p) {
			refused++;
			continue;
		}
		*p = i;
		/* Every third is thrown away. */
		if (i % 3 == 2)
			bpf_ringbuf_discard(p, BPF_RB_NO_WAKEUP);
		else
			bpf_ringbuf_submit(p, BPF_RB_NO_WAKEUP);
	}
	add(7, 1);
	return refused;
}

/* Firings of user probes, and the sum of their cookies. */
SEC("uprobe")
int
user(void *ctx)
{
	add(4, 1);
	add(5, bpf_get_attach_cookie(ctx));
	return 0;
}

SEC("?uprobe.multi")
int
users(void *ctx)
{
	add(4, 1);
	add(5, bpf_get_attach_cookie(ctx));
	return 0;
}

/* SPDX-License-Identifier: BSD-2-Clause */
#include <linux/bpf.h>
#include <bpf/bpf_helpers.h>

char _license[] SEC("license") = "GPL";

/* Reads through a number. */
SEC("raw_tp/bad")
int
bad(struct bpf_raw_tracepoint_args *ctx)
{
	return *(int *)ctx->args[0];
}

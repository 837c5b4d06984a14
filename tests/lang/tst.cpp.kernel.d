/* flags: -q -C */
/* Headers that lay out structs as only GNU C can say. */
#include <linux/perf_event.h>
#include <linux/bpf.h>
#include <linux/kvm.h>
#include <linux/if_ether.h>
#include <linux/if_tunnel.h>
#include <linux/joystick.h>
#include <sys/epoll.h>
#include <sys/ucontext.h>
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <complex.h>

BEGIN
{
	/* A bit-field, and what lies behind the 64 bits of them. */
	attr = (struct perf_event_attr *)alloca(sizeof (struct perf_event_attr));
	attr->inherit = 1;
	attr->precise_ip = 2;
	attr->type = PERF_TYPE_TRACEPOINT;
	printf("%d %d %d\n", attr->inherit, attr->precise_ip, attr->type);
	printf("%d\n", offsetof(struct perf_event_attr, bp_type));
	/* An enumerator of 64 bits, and macros. */
	printf("%x %x\n", BPF_F_CTXLEN_MASK, PERF_TXN_ABORT_MASK);
	printf("%d %d\n", BPF_MAP_TYPE_ARRAY, PERF_ATTR_SIZE_VER0);
	/* Packed; [0] in the middle of a union. */
	printf("%d %d\n", sizeof (struct epoll_event), sizeof (struct ethhdr));
	printf("%d\n", offsetof(struct kvm_nested_state, data));
	/* ioctls say how much they pass; a protocol is in network order. */
	printf("%x %x\n", PERF_EVENT_IOC_PERIOD, JSIOCGAXMAP);
	printf("%x\n", GRE_CSUM);
	/* Of some only the size is known. */
	printf("%d\n", sizeof (va_list));
	exit(0);
}

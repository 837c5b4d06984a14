/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The mib provider: counters of the protocols, as they rise; arg0 is by how much,
 * arg1 the inode of the network namespace that they are of.
 *
 * The kernel counts without telling anybody.  So these are the packets and the
 * changes of sockets that it counts, and only those counters that are then the same.
 */
#include "prov/prov_priv.h"
#include "prov/derive.h"

#define OUT "__net_tag[arg0, 0x10]"
#define IN "__net_tag[arg0, 0x30]"
#define SENT(PROTO) "__ip_made[arg0] && __ip_has[" OUT ", " PROTO "]"
#define CAME(PROTO) "__ip_came[arg0] && __ip_has[" IN ", " PROTO "]"
/* Of the packet that was looked at last. */
#define FLAGS "__net8[this->__net_t + 13]"
#define TYPE "__net8[this->__net_t]"
#define IS_4 "!this->__net_6"

#define NET_OF_DEVICE "; __net_skb[arg0]->dev->nd_net.net->ns.inum"
#define NET_OF_SOCKET "; __net_skc[arg0]->skc_net.net->ns.inum"
#define AT_SEND(WHEN, VALUE) { { DERIVE_TRACEPOINT, "net_dev_queue", WHEN, \
	VALUE NET_OF_DEVICE } }
#define AT_RECEIVE(WHEN, VALUE) \
	{ { DERIVE_TRACEPOINT, "netif_receive_skb", WHEN, \
	    VALUE NET_OF_DEVICE } }
#define AT_CHANGE(WHEN) \
	{ { DERIVE_TRACEPOINT, "inet_sock_set_state", \
	    WHEN " && ((struct sock *)arg0)->sk_protocol == 6", \
	    "1" NET_OF_SOCKET } }
/* A segment before it is looked at, that has data. */
#define AT_DATA(WHEN, VALUE) \
	{ { DERIVE_TRACEPOINT, "tcp_probe", "__tcp_came_bytes[arg1] && " WHEN, \
	    VALUE NET_OF_SOCKET } }
#define AT_DROP(REASON) \
	DERIVE_TRACEPOINT, "kfree_skb", \
	"(enum skb_drop_reason)arg2 == " REASON " && __ip_is_ip[arg0] &&" \
	" __ip_has[arg0, 17]", "1" NET_OF_DEVICE

#define COUNTER "int64_t; uint32_t"

static const struct derive_probe probes[] = {
	{ "ipInReceives", COUNTER, AT_RECEIVE("__ip_came[arg0] && "
		"__net_skb[arg0]->protocol == 0x0008", "1") },
	{ "ipOutRequests", COUNTER, AT_SEND("__ip_made[arg0] && "
		"__net_skb[arg0]->protocol == 0x0008 && __ip_look[" OUT "] && "
		"(__net16[this->__net_h + 6] & 0x1fff) == 0", "1") },

	/* Of both versions, each fragment, and what is forwarded. */
	{ "ipIfStatsHCInOctets", COUNTER,
	  AT_RECEIVE("__ip_came[arg0]", "__net_skb[arg0]->len") },
	{ "ipIfStatsHCOutOctets", COUNTER,
	  AT_SEND("__ip_queued[arg0] && __ip_look[" OUT "]",
		  "__net_skb[arg0]->len - (uint32_t)(this->__net_h - "
		  "(uint64_t)__net_skb[arg0]->data)") },

	{ "icmpInMsgs", COUNTER, AT_RECEIVE(CAME("1") " && " IS_4, "1") },
	{ "icmpInDestUnreachs", COUNTER,
	  AT_RECEIVE(CAME("1") " && " IS_4 " && " TYPE " == 3", "1") },
	{ "icmpInEchos", COUNTER,
	  AT_RECEIVE(CAME("1") " && " IS_4 " && " TYPE " == 8", "1") },
	{ "icmpInEchoReps", COUNTER,
	  AT_RECEIVE(CAME("1") " && " IS_4 " && " TYPE " == 0", "1") },
	{ "icmpOutMsgs", COUNTER, AT_SEND(SENT("1") " && " IS_4, "1") },
	{ "icmpOutDestUnreachs", COUNTER,
	  AT_SEND(SENT("1") " && " IS_4 " && " TYPE " == 3", "1") },
	{ "icmpOutEchos", COUNTER,
	  AT_SEND(SENT("1") " && " IS_4 " && " TYPE " == 8", "1") },
	{ "icmpOutEchoReps", COUNTER,
	  AT_SEND(SENT("1") " && " IS_4 " && " TYPE " == 0", "1") },

	{ "tcpActiveOpens", COUNTER,
	  AT_SEND(SENT("6") " && (" FLAGS " & 0x12) == 2 && __tcp_is_new[" OUT "]",
		  "1") },
	{ "tcpPassiveOpens", COUNTER, AT_CHANGE("arg1 == 10 && arg2 == 3") },
	{ "tcpEstabResets", COUNTER,
	  AT_CHANGE("arg2 == 7 && (arg1 == 1 || arg1 == 8)") },
	{ "tcpInSegs", COUNTER, AT_RECEIVE(CAME("6"), "1") },
	{ "tcpOutSegs", COUNTER, AT_SEND(SENT("6") " && __tcp_is_new[" OUT "]",
		"__net_segments[arg0]") },
	{ "tcpOutDataSegs", COUNTER,
	  AT_SEND(SENT("6") " && __tcp_bytes[" OUT "] && __tcp_is_new[" OUT "]",
		  "__net_segments[arg0]") },
	{ "tcpOutDataBytes", COUNTER,
	  AT_SEND(SENT("6") " && __tcp_bytes[" OUT "] && __tcp_is_new[" OUT "]",
		  "__tcp_bytes[" OUT "]") },
	{ "tcpOutRsts", COUNTER, AT_SEND(SENT("6") " && " FLAGS " & 4", "1") },
	{ "tcpOutControl", COUNTER, AT_SEND(SENT("6") " && " FLAGS " & 7", "1") },
	{ "tcpOutAck", COUNTER,
	  AT_SEND(SENT("6") " && (" FLAGS " & 0x17) == 0x10 &&"
		  " !__tcp_bytes[" OUT "]", "1") },
	{ "tcpRetransSegs", COUNTER, {
		{ DERIVE_TRACEPOINT, "tcp_retransmit_skb", NULL,
		  "((struct tcp_skb_cb *)&((struct sk_buff *)arg1)->cb[0])"
		  "->tcp_gso_segs" NET_OF_SOCKET },
		{ DERIVE_TRACEPOINT, "tcp_retransmit_synack", NULL,
		  "1" NET_OF_SOCKET },
	} },
	{ "tcpRetransBytes", COUNTER, {
		{ DERIVE_TRACEPOINT, "tcp_retransmit_skb", NULL,
		  "((struct sk_buff *)arg1)->len" NET_OF_SOCKET },
	} },
	{ "tcpInDataInorderSegs", COUNTER, AT_DATA("__tcp_ahead == 0", "1") },
	{ "tcpInDataInorderBytes", COUNTER,
	  AT_DATA("__tcp_ahead == 0", "__tcp_came_bytes[arg1]") },
	{ "tcpInDataUnorderSegs", COUNTER, AT_DATA("__tcp_ahead > 0", "1") },
	{ "tcpInDataUnorderBytes", COUNTER,
	  AT_DATA("__tcp_ahead > 0", "__tcp_came_bytes[arg1]") },
	{ "tcpInDataDupSegs", COUNTER, AT_DATA("__tcp_is_dup", "1") },
	{ "tcpInDataDupBytes", COUNTER,
	  AT_DATA("__tcp_is_dup", "__tcp_came_bytes[arg1]") },

	{ "udpInDatagrams", COUNTER, {
		{ DERIVE_TRACEPOINT, "sock_recv_length",
		  "(int)arg1 >= 0 && ((struct sock *)arg0)->sk_protocol == 17 &&"
		  " !(arg2 & 0x2000)", "1" NET_OF_SOCKET },
	} },
	{ "udpOutDatagrams", COUNTER, AT_SEND(SENT("17"), "1") },
	{ "udpNoPorts", COUNTER, { { AT_DROP("SKB_DROP_REASON_NO_SOCKET") } } },
	{ "udpInOverflows", COUNTER, {
		{ DERIVE_TRACEPOINT, "udp_fail_queue_rcv_skb",
		  "(int)arg0 == -12",
		  "1; __net_skc[arg1]->skc_net.net->ns.inum" },
	} },
};

DERIVE(mib, "mib", probes, PROV_ATTR_EVOLVING);

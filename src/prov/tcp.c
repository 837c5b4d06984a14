/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The tcp provider: segments, and connections that begin, are refused and change.
 *
 * What is sent tells its socket.  What comes does not, where it comes from a
 * device: sockets are remembered by their connections (__tcp_sk in net.d) when
 * they change or send.
 *
 * A socket that waits in FIN_WAIT_2 or TIME_WAIT and that no process has any more
 * is replaced by a small one, which nothing tells of: the kernel says that the
 * socket is closed.  Then it has been told that the other side is at its end
 * (SOCK_DONE), and comes to TIME_WAIT; or it waits for that, nobody having it
 * (SOCK_DEAD), and comes to TIME_WAIT with the FIN.
 *
 * A socket that connects comes to SYN_SENT before it has a port, without which
 * nobody could tell its connection: so that is told with the SYN, or, where none
 * could be sent, when the socket leaves that state.
 */
#include "prov/prov_priv.h"
#include "prov/derive.h"

#define OUT "__net_tag[arg0, 0x10]"
#define IN "__net_tag[arg0, 0x30]"
/* In functions that IP calls with what is for this machine. */
#define PASSED "__net_tag[arg0, 0x20]"
#define FLAGS "__net8[this->__net_t + 13]"	/* of what was looked at */
#define SENT "__ip_made[arg0] && __ip_has[" OUT ", 6]"
#define CAME "__ip_came[arg0] && __ip_has[" IN ", 6]"
#define VALUES(V, SK) V "; " SK "; " V "; " SK "; " V
#define TYPES \
	"struct sk_buff * > pktinfo_t *; struct sock * > csinfo_t *; " \
	"struct sk_buff * > ipinfo_t *; struct sock * > tcpsinfo_t *; " \
	"struct sk_buff * > tcpinfo_t *"

/* At inet_sock_set_state. */
#define IS_TCP "((struct sock *)arg0)->sk_protocol == 6"
#define COMES_TO(STATE) "__net_tag[arg0, " STATE "]"
#define OF_SOCKET VALUES("__net_tag[arg0, 0x40]", COMES_TO("arg2"))
#define FLAG(N) "(__net_skc[arg0]->skc_flags >> " N " & 1)"
#define NO_ERROR "((struct sock *)arg0)->sk_err == 0"
#define TO_TIME_WAIT "arg2 == 7 && (arg1 == 5 || arg1 == 11) && " \
	FLAG("1") " && " NO_ERROR
#define TO_FIN_WAIT "arg2 == 7 && arg1 == 5 && !" FLAG("1") " && " \
	FLAG("0") " && " NO_ERROR

static const char sockets[] =
	"sdt:::inet_sock_set_state /" IS_TCP " && arg2 != 10 && arg1 != 10 &&"
	" arg2 != 2/"
	"{ __tcp_sk[__cid_of_socket[arg0]] = arg2 == 7 ? 0 : arg0; }"
	"sdt:::net_dev_queue /" SENT " &&"
	" __is_tcp_sk[(uint64_t)__net_skb[arg0]->sk] &&"
	" __net_skb[arg0]->sk->__sk_common.skc_state != 7/"
	"{ __tcp_sk[__cid_of_packet[" OUT "]] = (uint64_t)__net_skb[arg0]->sk; }";

#define HAS_NO_PORT "arg2 == 2 && __net_skc[arg0]->skc_num == 0"
#define TOLD_LATE(SK) "0; __net_tag[" SK ", 2]; 0; __net_tag[" SK ", 2]; 0; 7"
#define SENDER "(uint64_t)__net_skb[arg0]->sk"

static const char asking[] =
	"uint64_t __tcp_asks[uint64_t];"
	"sdt:::inet_sock_set_state /" IS_TCP " && " HAS_NO_PORT "/"
	"{ __tcp_asks[arg0] = 1; }";

static const char waiting[] =
	"uint64_t __tcp_waits[uint64_t];"
	"sdt:::inet_sock_set_state /" IS_TCP " && " TO_FIN_WAIT "/"
	"{ __tcp_waits[__cid_of_socket[arg0]] = 1; }";

static const struct derive_probe probes[] = {
	{ "send", TYPES, {
		{ DERIVE_TRACEPOINT, "net_dev_queue", SENT,
		  VALUES(OUT, "__tcp_out[" OUT "]") },
	} },
	{ "receive", TYPES, {
		{ DERIVE_FUNC, "tcp_v4_rcv", "__ip_has[" PASSED ", 6]",
		  VALUES(PASSED, "__tcp_in[" PASSED "]"), 1, sockets },
		{ DERIVE_FUNC, "tcp_v6_rcv", "__ip_has[" PASSED ", 6]",
		  VALUES(PASSED, "__tcp_in[" PASSED "]"), 2, sockets },
		{ DERIVE_TRACEPOINT, "netif_receive_skb", CAME,
		  VALUES(IN, "__tcp_in[" IN "]"), 1, sockets },
	} },
	/* A SYN, but for those that are sent again. */
	{ "connect-request", TYPES, {
		{ DERIVE_TRACEPOINT, "net_dev_queue",
		  SENT " && (" FLAGS " & 0x12) == 2 &&"
		  " __is_tcp_sk[(uint64_t)__net_skb[arg0]->sk] &&"
		  " __icsk[(uint64_t)__net_skb[arg0]->sk]->icsk_retransmits == 0",
		  VALUES(OUT, "__tcp_out[" OUT "]") },
	} },
	{ "connect-established", TYPES, {
		{ DERIVE_TRACEPOINT, "inet_sock_set_state",
		  "arg1 == 2 && arg2 == 1 && " IS_TCP, OF_SOCKET },
	} },
	{ "connect-refused", TYPES, {
		{ DERIVE_TRACEPOINT, "tcp_receive_reset",
		  "__net_skc[arg0]->skc_state == 2",
		  VALUES("__net_tag[arg0, 0x40]", "arg0") },
	} },
	{ "accept-established", TYPES, {
		{ DERIVE_TRACEPOINT, "inet_sock_set_state",
		  "arg1 == 3 && arg2 == 1 && " IS_TCP, OF_SOCKET },
	} },
	/* What answers a SYN that nobody waits for has number 0. */
	{ "accept-refused", TYPES, {
		{ DERIVE_TRACEPOINT, "net_dev_queue",
		  SENT " && (" FLAGS " & 0x17) == 0x14 &&"
		  " __net32[this->__net_t + 4] == 0",
		  VALUES(OUT, "__tcp_out[" OUT "]") },
	} },
	{ "state-change",
	  "struct sk_buff * > pktinfo_t *; struct sock * > csinfo_t *; "
	  "struct sk_buff * > ipinfo_t *; struct sock * > tcpsinfo_t *; "
	  "struct sk_buff * > tcpinfo_t *; int > tcplsinfo_t *", {
		{ DERIVE_TRACEPOINT, "inet_sock_set_state",
		  IS_TCP " && arg1 == 2 && __tcp_asks[arg0] &&"
		  " (__tcp_asks[arg0] = 0) == 0",
		  TOLD_LATE("arg0"), .setup = asking },
		{ DERIVE_TRACEPOINT, "net_dev_queue",
		  SENDER " != 0 && __net_skb[arg0]->sk->__sk_common.skc_state == 2 &&"
		  " __tcp_asks[" SENDER "] && (__tcp_asks[" SENDER "] = 0) == 0",
		  TOLD_LATE(SENDER), .setup = asking },
		{ DERIVE_TRACEPOINT, "inet_sock_set_state",
		  IS_TCP " && !(" TO_FIN_WAIT ") && !(" HAS_NO_PORT ")",
		  "0; " COMES_TO("arg2") "; 0; "
		  COMES_TO("(" TO_TIME_WAIT " ? 6 : arg2)") "; 0; arg1",
		  .setup = waiting },
		{ DERIVE_TRACEPOINT, "netif_receive_skb",
		  CAME " && " FLAGS " & 1 && __tcp_waits[__cid_of_packet[" IN "]] &&"
		  " (__tcp_waits[__cid_of_packet[" IN "]] = 0) == 0",
		  "0; __net_tag[arg0, 0x36]; 0; __net_tag[arg0, 0x36]; 0; 5",
		  .setup = waiting },
	} },
};

DERIVE(tcp, "tcp", probes, PROV_ATTR_EVOLVING);

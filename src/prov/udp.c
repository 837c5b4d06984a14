/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The udp provider: datagrams, each once, with the first of its fragments.
 */
#include "prov/prov_priv.h"
#include "prov/derive.h"

#define VALUES(V) V "; " V "; " V "; " V "; " V
/* In functions that are called with what is for this machine. */
#define PASSED "__net_tag[arg0, 0x20]"
#define TYPES \
	"struct sk_buff * > pktinfo_t *; struct sock * > csinfo_t *; " \
	"struct sk_buff * > ipinfo_t *; struct sock * > udpsinfo_t *; " \
	"struct sk_buff * > udpinfo_t *"

static const struct derive_probe probes[] = {
	{ "send", TYPES, {
		{ DERIVE_TRACEPOINT, "net_dev_queue",
		  "__ip_made[arg0] && __ip_has[__net_tag[arg0, 0x10], 17]",
		  VALUES("__net_tag[arg0, 0x10]") },
	} },
	{ "receive", TYPES, {
		{ DERIVE_FUNC, "udp_rcv", "__ip_has[" PASSED ", 17]",
		  VALUES(PASSED), 1 },
		{ DERIVE_FUNC, "udpv6_rcv", "__ip_has[" PASSED ", 17]",
		  VALUES(PASSED), 2 },
		{ DERIVE_TRACEPOINT, "netif_receive_skb",
		  "__ip_came[arg0] && __ip_has[__net_tag[arg0, 0x30], 17]",
		  VALUES("__net_tag[arg0, 0x30]"), 1 },
	} },
};

DERIVE(udp, "udp", probes, PROV_ATTR_EVOLVING);

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The ip provider: packets of IP that are given to a device, and that come from
 * one.  lib/dtrace/net.d has what the D of its sites, and of the other providers of
 * the network, is made of.
 */
#include "prov/prov_priv.h"
#include "prov/derive.h"

#define VALUES(V) V "; " V "; " V "; __net_skb[arg0]->dev; " \
	"__net_skb[arg0]->protocol == 0x0008 ? " V " : 0; " \
	"__net_skb[arg0]->protocol == 0xdd86 ? " V " : 0"
/* In functions that are called with what is for this machine. */
#define PASSED "__net_tag[arg0, 0x20]"
#define TYPES \
	"struct sk_buff * > pktinfo_t *; struct sock * > csinfo_t *; " \
	"struct sk_buff * > ipinfo_t *; struct net_device * > ifinfo_t *; " \
	"struct sk_buff * > ipv4info_t *; struct sk_buff * > ipv6info_t *"

static const struct derive_probe probes[] = {
	{ "send", TYPES, {
		{ DERIVE_TRACEPOINT, "net_dev_queue", "__ip_queued[arg0]",
		  VALUES("__net_tag[arg0, 0x10]") },
	} },
	{ "receive", TYPES, {
		{ DERIVE_FUNC, "ip_local_deliver", NULL,
		  VALUES(PASSED), 1 },
		{ DERIVE_FUNC, "ip6_input", NULL,
		  VALUES(PASSED), 2 },
		{ DERIVE_TRACEPOINT, "netif_receive_skb", "__ip_came[arg0]",
		  VALUES("__net_tag[arg0, 0x30]"), 1 },
	} },
};

DERIVE(ip, "ip", probes, PROV_ATTR_EVOLVING);

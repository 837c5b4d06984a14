/* SPDX-License-Identifier: BSD-2-Clause
 *
 * The udp provider: datagrams, each once, with the first of its fragments.
 */
#include "prov/prov_priv.h"
#include "prov/derive.h"

#define VALUES(V) V "; " V "; " V "; " V "; " V
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
		{ DERIVE_TRACEPOINT, "netif_receive_skb",
		  "__ip_came[arg0] && __ip_has[__net_tag[arg0, 0x30], 17]",
		  VALUES("__net_tag[arg0, 0x30]") },
	} },
};

DERIVE(udp, "udp", probes, DERIVE_EVOLVING);

/* SPDX-License-Identifier: BSD-2-Clause
 *
 * What probes of the network tell: packets, connections, interfaces.
 */
inline int AF_UNIX = 1;
inline int AF_INET = 2;
inline int AF_INET6 = 10;
inline int IPPROTO_ICMP = 1;
inline int IPPROTO_TCP = 6;
inline int IPPROTO_UDP = 17;
inline int IPPROTO_ICMPV6 = 58;
inline int ARPHRD_ETHER = 1;
inline int ARPHRD_INFINIBAND = 32;

typedef uint32_t ipaddr_t;
typedef struct in6_addr in6_addr_t;

typedef struct conninfo {
	string ci_local;	/* addresses as text */
	string ci_remote;
	string ci_protocol;	/* "ipv4", "ipv6" */
} conninfo_t;

typedef struct pktinfo {
	uintptr_t pkt_addr;
} pktinfo_t;

typedef struct csinfo {
	uintptr_t cs_addr;
	uint64_t cs_cid;	/* the same for all packets of a connection, on
				 * one side of it */
	pid_t cs_pid;		/* 0: not known */
	zoneid_t cs_zoneid;	/* 0: Linux has no zones */
} csinfo_t;

typedef struct ipinfo {
	uint8_t ip_ver;
	uint32_t ip_plength;	/* of what follows the header */
	string ip_saddr;
	string ip_daddr;
} ipinfo_t;

typedef struct ifinfo {
	string if_name;
	int8_t if_local;	/* delivered locally: 1, not: 0, unknown: -1 */
	int64_t if_ipstack;	/* inode of the network namespace */
	uintptr_t if_addr;	/* struct net_device */
} ifinfo_t;

typedef struct ipv4info {
	uint8_t ipv4_ver;
	uint8_t ipv4_ihl;	/* bytes */
	uint8_t ipv4_tos;
	uint16_t ipv4_length;
	uint16_t ipv4_ident;
	uint8_t ipv4_flags;
	uint16_t ipv4_offset;
	uint8_t ipv4_ttl;
	uint8_t ipv4_protocol;
	string ipv4_protostr;
	uint16_t ipv4_checksum;
	uint32_t ipv4_src;
	uint32_t ipv4_dst;
	string ipv4_saddr;
	string ipv4_daddr;
	uintptr_t ipv4_hdr;
} ipv4info_t;

typedef struct ipv6info {
	uint8_t ipv6_ver;
	uint8_t ipv6_tclass;
	uint32_t ipv6_flow;
	uint16_t ipv6_plen;
	uint8_t ipv6_nexthdr;
	string ipv6_nextstr;
	uint8_t ipv6_hlim;
	uintptr_t ipv6_src;
	uintptr_t ipv6_dst;
	string ipv6_saddr;
	string ipv6_daddr;
	uintptr_t ipv6_hdr;
} ipv6info_t;

/* tcp_flags */
inline uint8_t TH_FIN = 0x01;
inline uint8_t TH_SYN = 0x02;
inline uint8_t TH_RST = 0x04;
inline uint8_t TH_PSH = 0x08;
inline uint8_t TH_PUSH = TH_PSH;
inline uint8_t TH_ACK = 0x10;
inline uint8_t TH_URG = 0x20;
inline uint8_t TH_ECE = 0x40;
inline uint8_t TH_CWR = 0x80;

typedef struct tcpinfo {
	uint16_t tcp_sport;
	uint16_t tcp_dport;
	uint32_t tcp_seq;
	uint32_t tcp_ack;
	uint8_t tcp_offset;	/* bytes */
	uint8_t tcp_flags;
	uint16_t tcp_window;
	uint16_t tcp_checksum;
	uint16_t tcp_urgent;
	uintptr_t tcp_hdr;
} tcpinfo_t;

/* tcps_state, which are the kernel's own, except for the first */
inline int TCP_STATE_IDLE = 0;
inline int TCP_STATE_ESTABLISHED = 1;
inline int TCP_STATE_SYN_SENT = 2;
inline int TCP_STATE_SYN_RECEIVED = 3;
inline int TCP_STATE_FIN_WAIT_1 = 4;
inline int TCP_STATE_FIN_WAIT_2 = 5;
inline int TCP_STATE_TIME_WAIT = 6;
inline int TCP_STATE_CLOSED = 7;
inline int TCP_STATE_CLOSE_WAIT = 8;
inline int TCP_STATE_LAST_ACK = 9;
inline int TCP_STATE_LISTEN = 10;
inline int TCP_STATE_CLOSING = 11;

inline string tcp_state_string[int STATE] =
	STATE == TCP_STATE_IDLE ? "state-idle" :
	STATE == TCP_STATE_ESTABLISHED ? "state-established" :
	STATE == TCP_STATE_SYN_SENT ? "state-syn-sent" :
	STATE == TCP_STATE_SYN_RECEIVED ? "state-syn-received" :
	STATE == TCP_STATE_FIN_WAIT_1 ? "state-fin-wait-1" :
	STATE == TCP_STATE_FIN_WAIT_2 ? "state-fin-wait-2" :
	STATE == TCP_STATE_TIME_WAIT ? "state-time-wait" :
	STATE == TCP_STATE_CLOSED ? "state-closed" :
	STATE == TCP_STATE_CLOSE_WAIT ? "state-close-wait" :
	STATE == TCP_STATE_LAST_ACK ? "state-last-ack" :
	STATE == TCP_STATE_LISTEN ? "state-listen" :
	STATE == TCP_STATE_CLOSING ? "state-closing" :
	"<unknown>";

typedef struct tcpsinfo {
	uintptr_t tcps_addr;	/* struct sock */
	int tcps_local;
	int tcps_active;	/* this side opened it */
	uint16_t tcps_lport;
	uint16_t tcps_rport;
	string tcps_laddr;
	string tcps_raddr;
	int32_t tcps_state;
	uint32_t tcps_iss;	/* 0: not known, and so irs */
	uint32_t tcps_irs;
	uint32_t tcps_suna;
	uint32_t tcps_smax;
	uint32_t tcps_snxt;
	uint32_t tcps_rack;
	uint32_t tcps_rnxt;
	uint32_t tcps_swnd;
	int32_t tcps_snd_ws;
	uint32_t tcps_rwnd;
	int32_t tcps_rcv_ws;
	uint32_t tcps_cwnd;	/* bytes, as the next */
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_sack_fack;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto;	/* ms */
	uint32_t tcps_mss;
	int tcps_retransmit;
	uint32_t tcps_rtt;	/* us, as the next */
	uint32_t tcps_rtt_sd;
} tcpsinfo_t;

typedef struct tcplsinfo {
	int32_t tcps_state;	/* before it changed */
} tcplsinfo_t;

typedef struct udpinfo {
	uint16_t udp_sport;
	uint16_t udp_dport;
	uint16_t udp_length;
	uint16_t udp_checksum;
	uintptr_t udp_hdr;
} udpinfo_t;

typedef struct udpsinfo {
	uintptr_t udps_addr;
	uint16_t udps_lport;
	uint16_t udps_rport;
	string udps_laddr;
	string udps_raddr;
} udpsinfo_t;

/*
 * What probes pass: an address whose highest byte, 0xff of all addresses of the
 * kernel, may say more about what lies there.
 *
 *	0xff	a packet, or a socket, of which nothing more is known
 *	0x01..	a socket that comes to this state
 *	0x10	a packet that is sent
 *	0x20	one that was received
 *	0x30	one whose header of IP, which skb->data is, is not taken yet
 *	0x3n	the same, and its socket comes to state n
 *	0x40	a socket that got a packet that is not at hand
 *
 * So a packet can stand for the socket that it is of, when that is not known, and
 * a socket for its packet: the addresses and ports of both are the same.
 */
inline int __net_kind[uint64_t V] = (int)(V >> 56);
inline int __net_is_packet[uint64_t V] =
	__net_kind[V] >= 0x10 && __net_kind[V] <= 0x3f;
inline uint64_t __net_tag[uint64_t V, uint64_t KIND] =
	(V & 0xffffffffffffff) | KIND << 56;
inline struct sk_buff *__net_skb[uint64_t V] =
	(struct sk_buff *)(V | 0xff00000000000000);
inline struct sock *__net_sk[uint64_t V] =
	(struct sock *)(V | 0xff00000000000000);
inline struct sock_common *__net_skc[uint64_t V] =
	(struct sock_common *)(V | 0xff00000000000000);

/* Each of these looks at a packet or a socket, and keeps here what it finds: it
 * is used more than once, and an inline would look each time. */
this uint64_t __net_h;		/* the header of IP */
this uint64_t __net_t;		/* what is behind */
this int __net_6;		/* is it IPv6? */
this uint64_t __net_l;		/* where the local address lies, */
this uint64_t __net_r;		/* and the remote one */
this uint32_t __net_p;		/* local port << 16 | remote port */

inline uint8_t __net8[uint64_t A] = *(uint8_t *)A;
inline uint16_t __net16[uint64_t A] = ntohs(*(uint16_t *)A);
inline uint32_t __net32[uint64_t A] = ntohl(*(uint32_t *)A);

/* The header of IP; 0 where there is no packet. */
inline uint64_t __ip_look[uint64_t V] = V == 0 || __net_kind[V] == 0x40 ? 0 :
	(this->__net_6 = __net_skb[V]->protocol == 0xdd86,
	 this->__net_h = (uint64_t)(__net_kind[V] >> 4 == 3 ?
		__net_skb[V]->data :
		__net_skb[V]->head + __net_skb[V]->network_header));
/* What is behind.  Fragments of IPv6 have a header of their own between; others of
 * its extensions are not looked behind. */
inline uint64_t __l4_look[uint64_t V] = __ip_look[V] == 0 ? 0 :
	(this->__net_t = this->__net_h + (!this->__net_6 ?
		4 * (__net8[this->__net_h] & 15) :
		__net8[this->__net_h + 6] == 44 ? 48 : 40));
/* Is it of that protocol, and the first of its fragments? */
inline int __ip_has[uint64_t V, int PROTO] = __l4_look[V] != 0 &&
	(!this->__net_6 ? __net8[this->__net_h + 9] == PROTO &&
			  (__net16[this->__net_h + 6] & 0x1fff) == 0 :
	 this->__net_t - this->__net_h == 40 ?
			  __net8[this->__net_h + 6] == PROTO :
			  __net8[this->__net_h + 40] == PROTO &&
			  (__net16[this->__net_h + 42] & 0xfff8) == 0);

/* Bytes behind the header.  A packet that is longer than it can tell says 0; then
 * the kernel knows, of the whole from skb->data on. */
inline uint32_t __ip_length[uint64_t V] = __ip_look[V] == 0 ? 0 :
	(uint32_t)(this->__net_6 ? (__net16[this->__net_h + 4] != 0 ?
			__net16[this->__net_h + 4] : __net_skb[V]->len - 40 -
			(this->__net_h - (uint64_t)__net_skb[V]->data)) :
		(__net16[this->__net_h + 2] != 0 ?
			__net16[this->__net_h + 2] : __net_skb[V]->len -
			(this->__net_h - (uint64_t)__net_skb[V]->data)) -
		4 * (__net8[this->__net_h] & 15));

/* At net_dev_queue: packets that the protocol gives to a device, and not those
 * that one device gives to the next that is below it (a port of a bridge, a
 * slave, a VLAN's), nor those of packet sockets. */
inline int __ip_is_ip[uint64_t V] = __net_skb[V]->protocol == 0x0008 ||
	__net_skb[V]->protocol == 0xdd86;
inline int __ip_queued[uint64_t V] = __ip_is_ip[V] &&
	!(__net_skb[V]->dev->flags & 0x800) &&
	!(__net_skb[V]->dev->priv_flags & 0x200) &&
	!__either(__net_skb[V]->vlan_all, __net_skb[V]->vlan_present, 0) &&
	!(__net_skb[V]->sk != NULL &&
	  __net_skb[V]->sk->__sk_common.skc_family == 17);
/* And that were made here, not forwarded. */
inline int __ip_made[uint64_t V] = __ip_queued[V] && __net_skb[V]->skb_iif == 0;
/* At netif_receive_skb: for this machine, and not on the way to a bridge. */
inline int __ip_came[uint64_t V] = __ip_is_ip[V] && __net_skb[V]->pkt_type < 3 &&
	!(__net_skb[V]->dev->priv_flags & 0x200);

/* The ends of what a packet belongs to, and of a socket; 0: there is none. */
inline int __ends_of_packet[uint64_t V] = __l4_look[V] == 0 ? 0 :
	(this->__net_l = this->__net_h + (this->__net_6 ?
		(__net_kind[V] == 0x10 ? 8 : 24) :
		(__net_kind[V] == 0x10 ? 12 : 16)),
	 this->__net_r = this->__net_h + (this->__net_6 ?
		(__net_kind[V] == 0x10 ? 24 : 8) :
		(__net_kind[V] == 0x10 ? 16 : 12)),
	 this->__net_p = __net32[this->__net_t],
	 this->__net_p = __net_kind[V] == 0x10 ? this->__net_p :
		this->__net_p << 16 | this->__net_p >> 16, 1);
inline int __sk_is_small[uint64_t V] =
	__net_skc[V]->skc_state == 6 || __net_skc[V]->skc_state == 12;
/* A socket of IPv6 may speak IPv4; and one that is closed has lost skc_num. */
inline int __ends_of_socket[uint64_t V] = V == 0 ? 0 :
	(this->__net_6 = __net_skc[V]->skc_family == 10 &&
		!(*(uint64_t *)&__net_skc[V]->skc_v6_daddr == 0 &&
		  __net_skc[V]->skc_v6_daddr.in6_u.u6_addr32[2] == 0xffff0000),
	 this->__net_l = this->__net_6 ?
		(uint64_t)&__net_skc[V]->skc_v6_rcv_saddr :
		(uint64_t)&__net_skc[V]->skc_rcv_saddr,
	 this->__net_r = this->__net_6 ?
		(uint64_t)&__net_skc[V]->skc_v6_daddr :
		(uint64_t)&__net_skc[V]->skc_daddr,
	 this->__net_p = __net_skc[V]->skc_num,
	 this->__net_p = this->__net_p != 0 || __sk_is_small[V] ?
		this->__net_p :
		ntohs(((struct inet_sock *)__net_sk[V])->inet_sport),
	 this->__net_p = this->__net_p << 16 | ntohs(__net_skc[V]->skc_dport),
	 1);
inline int __ends[uint64_t V] = __net_is_packet[V] ? __ends_of_packet[V] :
	__ends_of_socket[V];

inline string __addr_text[uint64_t A] = this->__net_6 ?
	inet_ntoa6((struct in6_addr *)A) : inet_ntoa((ipaddr_t *)A);
inline uint64_t __addr_sum[uint64_t A] = this->__net_6 ?
	*(uint64_t *)A * 0x9e3779b97f4a7c15 + *(uint64_t *)(A + 8) :
	*(uint32_t *)A;
/* A number of the connection whose ends were looked at last, in a namespace. */
inline uint64_t __ends_sum[uint64_t NET] =
	((NET * 0x9e3779b97f4a7c15 + __addr_sum[this->__net_l]) *
	 0xbf58476d1ce4e5b9 + __addr_sum[this->__net_r]) * 0x94d049bb133111eb +
	this->__net_p;
inline uint64_t __cid_of_packet[uint64_t V] = __ends_of_packet[V] == 0 ? 0 :
	__ends_sum[(uint64_t)__net_skb[V]->dev->nd_net.net];
inline uint64_t __cid_of_socket[uint64_t V] = __ends_of_socket[V] == 0 ? 0 :
	__ends_sum[(uint64_t)__net_skc[V]->skc_net.net];

/* A whole socket of TCP, not one that waits or is being made; and not that which
 * sends what belongs to none. */
inline int __is_tcp_sk[uint64_t V] = V != 0 && !__net_is_packet[V] &&
	!__sk_is_small[V] && __net_sk[V]->sk_type == 1 &&
	__net_sk[V]->sk_protocol == 6;
inline struct tcp_sock *__tp[uint64_t V] = (struct tcp_sock *)__net_sk[V];
inline struct inet_connection_sock *__icsk[uint64_t V] =
	(struct inet_connection_sock *)__net_sk[V];

/* Who has connected: a port that was chosen for that is marked in the kernel's table of
 * ports (-1), and what was bound to one by name, SOCK_BINDPORT_LOCK, is not what accept()
 * makes.  Who was bound to an address alone is not known once it is connected. */
inline int __is_active[uint64_t V] =
	__net_skc[V]->skc_state == TCP_STATE_SYN_SENT ||
	__either(__icsk[V]->icsk_bind_hash != NULL &&
		 (signed char)__icsk[V]->icsk_bind_hash->fastreuse == -1, 0) ||
	__net_skc[V]->skc_state != TCP_STATE_LISTEN &&
	__either((__net_sk[V]->sk_userlocks & 8) != 0, 0);

/* The kernel does not keep where a connection's numbers began, but how much was
 * acknowledged since (of one that it opened with the SYN), and received. */
inline int __has_begun[uint64_t V] = __is_tcp_sk[V] &&
	__net_skc[V]->skc_state != TCP_STATE_CLOSED &&
	__net_skc[V]->skc_state != TCP_STATE_LISTEN;

translator pktinfo_t < struct sk_buff *S > {
	pkt_addr = S == NULL || __net_kind[(uint64_t)S] == 0x40 ? 0 :
		(uintptr_t)__net_skb[(uint64_t)S];
};

translator csinfo_t < struct sock *S > {
	cs_addr = S == NULL ? 0 : __net_is_packet[(uint64_t)S] ?
		(uintptr_t)__net_skb[(uint64_t)S]->sk :
		(uintptr_t)__net_sk[(uint64_t)S];
	cs_cid = !__net_is_packet[(uint64_t)S] ? __cid_of_socket[(uint64_t)S] :
		__ip_has[(uint64_t)S, 6] || __ip_has[(uint64_t)S, 17] ?
		__cid_of_packet[(uint64_t)S] : 0;
	cs_pid = 0;
	cs_zoneid = 0;
};

translator ipinfo_t < struct sk_buff *S > {
	ip_ver = __ip_look[(uint64_t)S] != 0 || __ends[(uint64_t)S] ?
		(this->__net_6 ? 6 : 4) : 0;
	ip_plength = __ip_length[(uint64_t)S];
	ip_saddr = __ip_look[(uint64_t)S] != 0 ?
		__addr_text[this->__net_h + (this->__net_6 ? 8 : 12)] :
		__ends[(uint64_t)S] ? __addr_text[this->__net_r] : "<null>";
	ip_daddr = __ip_look[(uint64_t)S] != 0 ?
		__addr_text[this->__net_h + (this->__net_6 ? 24 : 16)] :
		__ends[(uint64_t)S] ? __addr_text[this->__net_l] : "<null>";
};

translator ifinfo_t < struct net_device *D > {
	if_name = D == NULL ? "<null>" : stringof(D->name);
	if_local = D == NULL ? -1 : (D->flags & 8) != 0;
	if_ipstack = D == NULL ? 0 : D->nd_net.net->ns.inum;
	if_addr = (uintptr_t)D;
};

inline string __proto_text[int P] =
	P == 1 ? "ICMP" : P == 2 ? "IGMP" : P == 4 ? "IP" : P == 6 ? "TCP" :
	P == 17 ? "UDP" : P == 41 ? "IPV6" : P == 50 ? "ESP" : P == 51 ? "AH" :
	P == 58 ? "ICMPV6" : P == 89 ? "OSPF" : P == 132 ? "SCTP" :
	P == 0 ? "HOP-BY-HOP" : P == 43 ? "ROUTING" : P == 44 ? "FRAGMENT" :
	P == 60 ? "DESTINATION" : "<unknown>";

/* Of a packet of IPv6, and of none, all is 0. */
inline uint64_t __ip4[uint64_t V] =
	__ip_look[V] != 0 && !this->__net_6 ? this->__net_h : 0;

translator ipv4info_t < struct sk_buff *S > {
	ipv4_ver = __ip4[(uint64_t)S] == 0 ? 0 : 4;
	ipv4_ihl = __ip4[(uint64_t)S] == 0 ? 0 :
		4 * (__net8[this->__net_h] & 15);
	ipv4_tos = __ip4[(uint64_t)S] == 0 ? 0 : __net8[this->__net_h + 1];
	ipv4_length = __ip4[(uint64_t)S] == 0 ? 0 : __net16[this->__net_h + 2];
	ipv4_ident = __ip4[(uint64_t)S] == 0 ? 0 : __net16[this->__net_h + 4];
	ipv4_flags = __ip4[(uint64_t)S] == 0 ? 0 :
		__net8[this->__net_h + 6] >> 5;
	ipv4_offset = __ip4[(uint64_t)S] == 0 ? 0 :
		__net16[this->__net_h + 6] & 0x1fff;
	ipv4_ttl = __ip4[(uint64_t)S] == 0 ? 0 : __net8[this->__net_h + 8];
	ipv4_protocol = __ip4[(uint64_t)S] == 0 ? 0 :
		__net8[this->__net_h + 9];
	ipv4_protostr = __ip4[(uint64_t)S] == 0 ? "<null>" :
		__proto_text[__net8[this->__net_h + 9]];
	ipv4_checksum = __ip4[(uint64_t)S] == 0 ? 0 :
		__net16[this->__net_h + 10];
	ipv4_src = __ip4[(uint64_t)S] == 0 ? 0 :
		*(uint32_t *)(this->__net_h + 12);
	ipv4_dst = __ip4[(uint64_t)S] == 0 ? 0 :
		*(uint32_t *)(this->__net_h + 16);
	ipv4_saddr = __ip4[(uint64_t)S] == 0 ? "<null>" :
		__addr_text[this->__net_h + 12];
	ipv4_daddr = __ip4[(uint64_t)S] == 0 ? "<null>" :
		__addr_text[this->__net_h + 16];
	ipv4_hdr = __ip4[(uint64_t)S];
};

inline uint64_t __ip6[uint64_t V] =
	__ip_look[V] != 0 && this->__net_6 ? this->__net_h : 0;

translator ipv6info_t < struct sk_buff *S > {
	ipv6_ver = __ip6[(uint64_t)S] == 0 ? 0 : 6;
	ipv6_tclass = __ip6[(uint64_t)S] == 0 ? 0 :
		__net16[this->__net_h] >> 4 & 0xff;
	ipv6_flow = __ip6[(uint64_t)S] == 0 ? 0 :
		__net32[this->__net_h] & 0xfffff;
	ipv6_plen = __ip6[(uint64_t)S] == 0 ? 0 : __net16[this->__net_h + 4];
	ipv6_nexthdr = __ip6[(uint64_t)S] == 0 ? 0 : __net8[this->__net_h + 6];
	ipv6_nextstr = __ip6[(uint64_t)S] == 0 ? "<null>" :
		__proto_text[__net8[this->__net_h + 6]];
	ipv6_hlim = __ip6[(uint64_t)S] == 0 ? 0 : __net8[this->__net_h + 7];
	ipv6_src = __ip6[(uint64_t)S] == 0 ? 0 : this->__net_h + 8;
	ipv6_dst = __ip6[(uint64_t)S] == 0 ? 0 : this->__net_h + 24;
	ipv6_saddr = __ip6[(uint64_t)S] == 0 ? "<null>" :
		__addr_text[this->__net_h + 8];
	ipv6_daddr = __ip6[(uint64_t)S] == 0 ? "<null>" :
		__addr_text[this->__net_h + 24];
	ipv6_hdr = __ip6[(uint64_t)S];
};

translator tcpinfo_t < struct sk_buff *S > {
	tcp_sport = __l4_look[(uint64_t)S] != 0 ? __net16[this->__net_t] :
		__ends[(uint64_t)S] ? this->__net_p & 0xffff : 0;
	tcp_dport = __l4_look[(uint64_t)S] != 0 ? __net16[this->__net_t + 2] :
		__ends[(uint64_t)S] ? this->__net_p >> 16 : 0;
	tcp_seq = __l4_look[(uint64_t)S] == 0 ? 0 : __net32[this->__net_t + 4];
	tcp_ack = __l4_look[(uint64_t)S] == 0 ? 0 : __net32[this->__net_t + 8];
	tcp_offset = __l4_look[(uint64_t)S] == 0 ? 0 :
		4 * (__net8[this->__net_t + 12] >> 4);
	tcp_flags = __l4_look[(uint64_t)S] == 0 ? 0 :
		__net8[this->__net_t + 13];
	tcp_window = __l4_look[(uint64_t)S] == 0 ? 0 :
		__net16[this->__net_t + 14];
	tcp_checksum = __l4_look[(uint64_t)S] == 0 ? 0 :
		__net16[this->__net_t + 16];
	tcp_urgent = __l4_look[(uint64_t)S] == 0 ? 0 :
		__net16[this->__net_t + 18];
	tcp_hdr = __l4_look[(uint64_t)S];
};

translator udpinfo_t < struct sk_buff *S > {
	udp_sport = __l4_look[(uint64_t)S] == 0 ? 0 : __net16[this->__net_t];
	udp_dport = __l4_look[(uint64_t)S] == 0 ? 0 :
		__net16[this->__net_t + 2];
	udp_length = __l4_look[(uint64_t)S] == 0 ? 0 :
		__net16[this->__net_t + 4];
	udp_checksum = __l4_look[(uint64_t)S] == 0 ? 0 :
		__net16[this->__net_t + 6];
	udp_hdr = __l4_look[(uint64_t)S];
};

translator udpsinfo_t < struct sock *S > {
	udps_addr = S == NULL ? 0 : __net_is_packet[(uint64_t)S] ?
		(uintptr_t)__net_skb[(uint64_t)S]->sk : (uintptr_t)S;
	udps_lport = __ends[(uint64_t)S] ? this->__net_p >> 16 : 0;
	udps_rport = __ends[(uint64_t)S] ? this->__net_p & 0xffff : 0;
	udps_laddr = __ends[(uint64_t)S] ? __addr_text[this->__net_l] : "<null>";
	udps_raddr = __ends[(uint64_t)S] ? __addr_text[this->__net_r] : "<null>";
};

/* The kernel counts timeouts in ticks; icsk_delack_max is 200 ms. */
translator tcpsinfo_t < struct sock *S > {
	tcps_addr = S == NULL || __net_is_packet[(uint64_t)S] ? 0 :
		(uintptr_t)__net_sk[(uint64_t)S];
	tcps_local = __ends[(uint64_t)S] &&
		(__addr_sum[this->__net_l] == __addr_sum[this->__net_r] ||
		 !this->__net_6 && __net8[this->__net_r] == 127);
	tcps_active = __is_tcp_sk[(uint64_t)S] && __is_active[(uint64_t)S];
	tcps_lport = __ends[(uint64_t)S] ? this->__net_p >> 16 : 0;
	tcps_rport = __ends[(uint64_t)S] ? this->__net_p & 0xffff : 0;
	tcps_laddr = __ends[(uint64_t)S] ? __addr_text[this->__net_l] : "<null>";
	tcps_raddr = __ends[(uint64_t)S] ? __addr_text[this->__net_r] : "<null>";
	tcps_state = S == NULL ? 0 : __net_kind[(uint64_t)S] < 0x40 ?
		__net_kind[(uint64_t)S] & 15 :
		__net_skc[(uint64_t)S]->skc_state == 12 ?
		TCP_STATE_SYN_RECEIVED : __net_skc[(uint64_t)S]->skc_state;
	tcps_iss = !__has_begun[(uint64_t)S] ? 0 : __tp[(uint64_t)S]->snd_una -
		(uint32_t)__tp[(uint64_t)S]->bytes_acked -
		!__is_active[(uint64_t)S];
	tcps_irs = !__has_begun[(uint64_t)S] ||
		__net_skc[(uint64_t)S]->skc_state == TCP_STATE_SYN_SENT ? 0 :
		__tp[(uint64_t)S]->rcv_nxt -
		(uint32_t)__tp[(uint64_t)S]->bytes_received - 1;
	tcps_suna = !__is_tcp_sk[(uint64_t)S] ? 0 : __tp[(uint64_t)S]->snd_una;
	tcps_smax = !__is_tcp_sk[(uint64_t)S] ? 0 : __tp[(uint64_t)S]->snd_nxt;
	tcps_snxt = !__is_tcp_sk[(uint64_t)S] ? 0 : __tp[(uint64_t)S]->snd_nxt;
	tcps_rack = !__is_tcp_sk[(uint64_t)S] ? 0 : __tp[(uint64_t)S]->rcv_wup;
	tcps_rnxt = !__is_tcp_sk[(uint64_t)S] ? 0 : __tp[(uint64_t)S]->rcv_nxt;
	tcps_swnd = !__is_tcp_sk[(uint64_t)S] ? 0 : __tp[(uint64_t)S]->snd_wnd;
	tcps_snd_ws = !__is_tcp_sk[(uint64_t)S] ? 0 :
		__tp[(uint64_t)S]->rx_opt.snd_wscale;
	tcps_rwnd = !__is_tcp_sk[(uint64_t)S] ? 0 : __tp[(uint64_t)S]->rcv_wnd;
	tcps_rcv_ws = !__is_tcp_sk[(uint64_t)S] ? 0 :
		__tp[(uint64_t)S]->rx_opt.rcv_wscale;
	tcps_cwnd = !__is_tcp_sk[(uint64_t)S] ? 0 :
		__tp[(uint64_t)S]->snd_cwnd * __tp[(uint64_t)S]->mss_cache;
	/* That there is none yet, the kernel says with 0x7fffffff. */
	tcps_cwnd_ssthresh = !__is_tcp_sk[(uint64_t)S] ? 0 :
		__tp[(uint64_t)S]->snd_ssthresh == 0x7fffffff ? 0x7fffffff :
		__tp[(uint64_t)S]->snd_ssthresh * __tp[(uint64_t)S]->mss_cache;
	tcps_sack_fack = 0;
	tcps_sack_snxt = !__is_tcp_sk[(uint64_t)S] ? 0 :
		__tp[(uint64_t)S]->snd_nxt;
	tcps_rto = !__is_tcp_sk[(uint64_t)S] ? 0 : __either(
		__icsk[(uint64_t)S]->icsk_delack_max == 0 ? 0 :
		__icsk[(uint64_t)S]->icsk_rto * 200 /
		__icsk[(uint64_t)S]->icsk_delack_max, 0);
	tcps_mss = !__is_tcp_sk[(uint64_t)S] ? 0 :
		__tp[(uint64_t)S]->mss_cache;
	tcps_retransmit = !__is_tcp_sk[(uint64_t)S] ? 0 :
		__icsk[(uint64_t)S]->icsk_retransmits;
	tcps_rtt = !__is_tcp_sk[(uint64_t)S] ? 0 :
		__tp[(uint64_t)S]->srtt_us >> 3;
	tcps_rtt_sd = !__is_tcp_sk[(uint64_t)S] ? 0 :
		__tp[(uint64_t)S]->mdev_us >> 2;
};

translator tcplsinfo_t < int STATE > {
	tcps_state = STATE;
};

/* Sockets of TCP by their connections, so that what is received tells them: as
 * long as they are open, and whatever they sent was seen, or a change.  What is
 * not there any more is told from what is by its ports. */
uint64_t __tcp_sk[uint64_t];
this uint64_t __net_k;
inline uint64_t __tcp_in[uint64_t V] =
	(this->__net_k = __tcp_sk[__cid_of_packet[V]]) != 0 &&
	__net_skc[this->__net_k]->skc_num == this->__net_p >> 16 &&
	ntohs(__net_skc[this->__net_k]->skc_dport) == (this->__net_p & 0xffff) ?
	this->__net_k : V;
inline uint64_t __tcp_out[uint64_t V] =
	(this->__net_k = (uint64_t)__net_skb[V]->sk) != 0 &&
	(__sk_is_small[this->__net_k] || __is_tcp_sk[this->__net_k]) ?
	this->__net_k : V;

/* Of segments of TCP that are sent: how many, with how much data, and whether they
 * were sent before.  snd_nxt is behind what was, until this one has been. */
inline int __net_segments[uint64_t V] =
	(this->__net_k = ((struct skb_shared_info *)(__net_skb[V]->head +
		__net_skb[V]->end))->gso_segs) == 0 ? 1 : this->__net_k;
inline int __tcp_bytes[uint64_t V] = (int)__ip_length[V] -
	4 * (__net8[this->__net_t + 12] >> 4);
inline int __tcp_is_new[uint64_t V] =
	!__is_tcp_sk[(uint64_t)__net_skb[V]->sk] ||
	(this->__net_k = __tcp_bytes[V] +
	 (__net8[this->__net_t + 13] & 1) +
	 (__net8[this->__net_t + 13] >> 1 & 1)) == 0 ||
	(int)(__net32[this->__net_t + 4] + (uint32_t)this->__net_k -
	      __tp[(uint64_t)__net_skb[V]->sk]->snd_nxt) > 0;

/* At tcp_probe, of the segment arg1 that comes to the socket arg0: bytes of data; how
 * far it begins behind what is expected; is all of it there already? */
inline struct tcp_skb_cb *__tcp_cb = (struct tcp_skb_cb *)&__net_skb[arg1]->cb[0];
inline int __tcp_came_bytes[uint64_t V] = (int)__net_skb[V]->len -
	4 * (__net8[(uint64_t)__net_skb[V]->data + 12] >> 4);
inline int __tcp_ahead = (int)(__tcp_cb->seq - __tp[arg0]->rcv_nxt);
inline int __tcp_is_dup = (int)(__tcp_cb->end_seq - __tp[arg0]->rcv_nxt) <= 0;

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
	uint64_t cs_cid;
	pid_t cs_pid;
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
	int64_t if_ipstack;
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
	uint32_t tcps_iss;
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
	uint32_t tcps_cwnd;
	uint32_t tcps_cwnd_ssthresh;
	uint32_t tcps_sack_fack;
	uint32_t tcps_sack_snxt;
	uint32_t tcps_rto;
	uint32_t tcps_mss;
	int tcps_retransmit;
	uint32_t tcps_rtt;
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

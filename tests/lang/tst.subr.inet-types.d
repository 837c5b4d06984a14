/* flags: -q
 * Addresses by their types, in scratch memory; families and types by name. */
BEGIN
{
	this->v4 = (ipaddr_t *)alloca(sizeof(ipaddr_t));
	*this->v4 = htonl(0x7f000001);
	printf("%s %s\n", inet_ntoa(this->v4), inet_ntop(AF_INET, this->v4));
	this->v6 = (in6_addr_t *)alloca(sizeof(in6_addr_t));
	this->v6->in6_u.u6_addr32[3] = htonl(0x10203);
	printf("%s %s\n", inet_ntoa6(this->v6), inet_ntop(AF_INET6, this->v6));
	printf("%s\n", link_ntop(ARPHRD_ETHER, this->v6));
	exit(0);
}

/* flags: -q -x iregs=8 -x tregs=8
 * A switch takes any number: 0 is off.  iregs and tregs are taken, and ignored. */
#pragma D option iregs=12
BEGIN { setopt("quiet", "0"); setopt("quiet", "7"); setopt("flowindent", "0x0"); }
BEGIN { setopt("rawbytes", "-1"); setopt("rawbytes", "99999999999999999999"); }
BEGIN { setopt("quiet", "1x"); }
BEGIN { printf("on\n"); exit(0); }

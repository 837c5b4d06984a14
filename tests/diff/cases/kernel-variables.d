/* Variables of the kernel that every engine has: scalars, arrays, structs. */
diff:::
{
	trace(`hp_avenrun[0]); trace(`hp_avenrun[arg0 & 1]); trace(`avenrun[2]);
	trace(`averunnable.ldavg[2]); trace(`averunnable.fscale);
	trace(`physmem); trace(`freemem + 1); trace(`_pagesize);
	trace(`ncpus); trace(`ncpus_online); trace(`hz);
	trace(`utsname.nodename); trace(`utsname.version); trace(`utsname.release);
	printf("%s %s", `utsname.nodename, `utsname.release);
	this->s = (string)`utsname.nodename;
	trace(this->s); trace(strlen(this->s)); trace(`osrelease);
	trace((&`utsname)->sysname[arg0 & 3]);
	this->p = &`hp_avenrun[1];
	trace(*this->p);
	trace(sizeof (`utsname)); trace(sizeof (`hp_avenrun));
	@[`utsname.nodename, `hp_avenrun[1]] = sum(`hp_avenrun[2]);
}

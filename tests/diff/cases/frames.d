#pragma D option strsize=32
enum color { red, green = 7, blue = -3 };
typedef unsigned short number_t;
struct s0 { string m0; uint64_t m1; enum color m2; size_t m3; number_t m4; };
struct s1 { char m0[9]; int8_t m1; intptr_t m2; unsigned m3[4][5]; char m4[3]; pid_t m5 : 17; };
union s2 { long m0; struct s1 m1; _Bool m3; unsigned long m4 : 6; int32_t m5[3]; enum color m7; };
struct s3 { unsigned long long m0 : 6; short m1[5]; union s2 m2; int64_t m3; unsigned long m4; };
struct s4 { uint8_t m0 : 1; };
pid_t g0;
string g1;
struct s0 g3;
self struct s4 s2[string, _Bool, string];
self pid_t s3;
self unsigned short s4[signed char];
this struct s0 t2;
this struct s0 t3;
this union s2 t8;
struct datum g20;
self userland struct datum *s21;
struct datum g22[long long];
userland struct s0 *g23;
struct out { long a; short b; string c; int e:7; char d[5]; long none; };
struct out whole;
translator struct out < int v > { d = lltostr(v); e = v; a = v * (g0 && (1 < 15UL)); b = v; c = lltostr(v + id); };
BEGIN, diff::: { trace(timestamp); }
BEGIN
{
g0 = (pid_t)g22[27].b20;
g1 = "";
g2 = (short)('\x41');
self->s0 = (enum color)self->s4[self->s3];
self->s1 = "abcdefghijklmnopqrstuvwxyz0123456789abcdefghijklmnopqrstuvwxyz0123456789";
self->s3 = (pid_t)this->t3.m3;
self->s4[this->t2.m4] = (unsigned short)timestamp;
this->t0 = (unsigned short)g20.us;
this->t1 = "0777";
this->t4 = (enum color)timestamp;
this->t5 = (unsigned char)self->s2[g3.m0, 0x3f, g1].m0;
this->t6 = "\t\n";
this->t7 = (unsigned char)22;
self->s21 = ((userland struct datum *)arg6);
g23 = ((userland struct s0 *)(arg5 + 370));
}
ERROR
{
((sizeof (string)) * self->s3);
trace(self->s4[tid]);
}

diff:::[a-c]
{
printf(" %*d %o %u\n", this->t5, (g20.us = (args[0] + (rand() & 0))), (g3.m0[(uid - this->t3.m4) & 7] = (~((g0--)))), ((g1 = memstr(copyin(arg5 + (4294967295 & 2047), 64), 0177777, self->s3 & 63)) > stringof(args[3]->name)));
}

diff:::
{
g0 >>= (xlate <struct out>((int)this->t7).a);
trace((lltostr(curthread->comm[(this->t2.m2 | g0) & 15], arg0 + (((int)(float)arg4) ? (--this->t4) : curthread->group_leader->tgid)) != "/usr/lib/x"));
;
this->t4 |= self->s3;
g1 = dirname((this->t0 ? self->s1 : g1));
g2 ^= (inet_ntoa(copyin(arg5 + (29 & 2047), 4)) <= strstr(probefunc, this->t6));
if ((((((userland char *)((userland uint64_t *)(arg5 + 177))) != ((userland char *)((userland uint64_t *)(arg5 + 3150)))) + ntohll((*((userland struct s4 *)(arg5 + 2090))).m0)) >> 46)) {
if ((((pid + ((self->s0 ? self->s0 : id) ? (self->s0 >> 10) : (self->s3 & this->t0)) - 677ll) ^^ (substr(uuidstr(), 14, 1))[(567ll << errno) & 7]) & g2)) {
commit(0);
}
}
this->t6 = "/usr/lib/x";
if (pid) {
if (gid) {
g3.m2 &= 29;
"";
}
}
discard(2);
g23 = g23;
self->s3 = 0;
this->t7 &= this->t8.m4;
printf(" %A %x\n", (int64_t)timestamp, 0x2ull);
printf("\n");
if (self->s0) {
g20.b20 &= uid;
if (arg3) {
if (self->s0) {
this->t2.m3 <<= this->t0;
} else @[probename, g3.m2, this->t6, g0] = lquantize(self->s4[this->t3.m2], -3, 900, 7, g20.l);
for (int n0 = 0; n0 < 4; n0++) {
@[probename, 0UL, this->t2.m0, self->s0] = lquantize(uid, -3, 900, 7, 38);
trace(probefunc);
}
trace("12");
} else {

}
this->t7 &= 164ll;
}
if (this->t2.m2) {
this->n1 = 2;
do {

} while (this->n1-- > 1);
}
g3.m0 = this->t1;
for (int n2 = 0; n2 < 1; n2++) {
if ((ustackdepth & 0)) break;

}
tracemem(this->t8.m1.m0, 4, this->t4);
}

diff:::ret
/ (((+(this->t5)) ? json(execargs, this->t1) : this->t6))[(arg0 ^ (gid * (!(this->t7)))) & 31]/
{
discard(2);
}

BEGIN
{
printf(" %*d %*d\n", (+(`freemem)), (g1[0] >> 17), ((uint32_t)507L), ((this->t8.m5[1] * ((copyin(arg5, 1) != NULL) >> ("/a/" <= this->t1)) - ((g3.m3 / (tid | 1)) <= (-(g3.m1)))) - (g2 ^ this->t4)));
printf(" %s %x %d\n", ((string)((userland struct datum *)arg6)->name), (*((userland union s2 *)(arg5 + 2507))).m1.m4[(uint32_t)arg9 % 3], arg7);
trace(self->s2[probename, this->t2.m1, "/usr/lib/x"]);
g3 = g3;
}

BEGIN
/ timestamp/
{
mod((((uint8_t)32), (--this->t0)));
print(cleanpath(self->s1));
}

diff:::ret
{
if (((~((arg9 || this->t7))) ? ((uid << 34) * (this->t8.m0 || g2) - arg1) : ((arg1 || g0) << tid))) {
commit(2);
}
@[probename, ((int64_t)(double)(self->s0 ^ 737ll)), inet_ntop(2 + ((g2 / (this->t4 | 1)) & 8), copyin(arg5 + (("12")[(arg0 ^ g3.m4) & 31] & 2047), 16)), ((pid_t)(execargs == self->s1))] = lquantize((!((this->t4 * arg3))), -3, 900, 7, (((rand() & 0) >> 0) > (2, self->s4[pid])));
speculation();
trace(this->t8);
}

diff:mod:func:b,
diff:::c
/ ((("abc")[5] ^ (((string)args[3]->name) == this->t6)), ((uint64_t *)copyin(arg5 + 3126, sizeof (uint64_t) * 2))[1])/
{
print(this->t4);
trace(htons((+(23))));
printf(" %*d %d\n", cpu, ((int64_t)this->t3.m3), (uid ^ this->t5));
this->t1 = toupper(stringof((char *)copyin(arg5 + 3914, 64)));
normalize(@, (sizeof (struct datum *)));
printa("%@x\n", @);
speculation();
@[probename, (1UL * this->t3.m3), this->t6, (28 % (this->t7 | 1))] = lquantize((g3.m4 >> this->t7), -3, 900, 7, ((short)g20.sb24));
}

diff:::
{
self->s4[(26 << 39)] &= ((char)(double)(float)((number_t)this->t7));
this->p4 = ((struct s1 *)copyin(arg5 + 806, sizeof (struct s1) * 2)); this->p4[1].m0[4] = ppid;  trace((*this->p4).m1);
trace(self->s4[id]);
whole = xlate <struct out>((int)(self->s0 &= (((arg3 * ('\'')) + (&curthread->real_parent->comm[63UL & 7])[1] - (g0 >= ('ab'))) + ((g3.m2 | 0x40) + (rand() & 0)) - (g20.us != ((enum color)this->t2.m4)))));
g0 |= (((self->s4[('\n')] ^ this->t3.m4) % ((sizeof (struct s4) != self->s3) | 1)) * ((unsigned short)("12")[3]));
@[probename, ((g0 | arg0) & (g0 ? arg9 : (ucaller & 0))), self->s1, ((g0++) * (((userland char *)((userland struct s4 *)(arg5 + 675))) != ((userland char *)((userland struct s4 *)(arg5 + 1429)))))] = lquantize(((890L ? 3 : arg1) % (("zz top" != "zz top") | 1)), -3, 900, 7, arg3);
printf(" %o %-.3s %u %lld\n", (g3.m4 *= (this->t0 % ((arg7 >> ("//" >= execname)) | 1))), substr(uuidstr(), 14, 1), (*&g0 = (((this->t2.m4 * arg0), (sizeof (string))) - ((number_t)timestamp))), ('a'));
printm(46, memref(copyin(arg5 + 932, 48), self->s3));
for (int n5 = 0; n5 < 4; n5++) {
if (this->t4) {
printf("\n");
trace(arg0);
this->t3.m0 = self->s1;
} else {
trace(sizeof (struct s4));
}
this->t5 = g2;
}
this->n6 = 0;
while (this->n6++ < 0) {
trace(g3.m4);
}
printf(" %S %hhx %10s %*d\n", execname, arg2, g1, self->s0, ('ab'));
printf(" %A %x %.*s %d\n", (int64_t)28, this->t3.m4, g0, "12", 8);
}

dtrace:::BEGIN, diff:::c
{
this->t0 += (uid | 11);
printa("%@x\n", @);
}

diff:::
{
trace(g0);
trace(g1);
trace(g2);
trace(self->s0);
trace(self->s1);
}

diff:::
{
trace(self->s2["12", arg0, this->t1]);
trace(self->s3);
trace(self->s4[this->t2.m1]);
trace(this->t0);
trace(this->t1);
trace(this->t2.m2);
}

diff:::
{
trace(this->t4);
trace(this->t5);
trace(this->t6);
trace(this->t7);
trace(this->t8);
}

diff:::
{
trace(g20);
trace((self->s21 != NULL));
trace(g22[sizeof (struct s4)]);
trace((g23 != NULL));
}

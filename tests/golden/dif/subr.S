
DIFO 0x0 returns string (unknown) by ref (size 256)
OFF OPCODE      INSTRUCTION
00: 29011801    ldgs DT_VAR(280), %r1       ! DT_VAR(280) = "execname"
01: 29011602    ldgs DT_VAR(278), %r2       ! DT_VAR(278) = "pid"
02: 25000003    setx DT_INTEGER[0], %r3     ! 0x10
03: 31000002    pushtv DT_TYPE(0), %r0, %r2
04: 31000003    pushtv DT_TYPE(0), %r0, %r3
05: 2f001802    call DIF_SUBR(24), %r2      ! lltostr
06: 33000000    flushts
07: 30010001    pushtr DT_TYPE(1), %r0, %r1
08: 30010002    pushtr DT_TYPE(1), %r0, %r2
09: 2f001701    call DIF_SUBR(23), %r1      ! strjoin
0a: 23000001    ret  %r1

NAME             ID   KND SCP FLAG TYPE
execname         280  scl glb r    string (unknown) by ref (size 16)
pid              278  scl glb r    D type (integer) (size 4)

DIFO 0x0 returns string (unknown) by ref (size 256)
OFF OPCODE      INSTRUCTION
00: 26000101    sets DT_STRING[1], %r1      ! "abc"
01: 30010001    pushtr DT_TYPE(1), %r0, %r1
02: 2f000c01    call DIF_SUBR(12), %r1      ! strlen
03: 33000000    flushts
04: 25000002    setx DT_INTEGER[0], %r2     ! 0x2
05: 0f010200    cmp  %r1, %r2
06: 1b00000e    bleu 14
07: 26000101    sets DT_STRING[1], %r1      ! "abc"
08: 25000102    setx DT_INTEGER[1], %r2     ! 0x1
09: 30010001    pushtr DT_TYPE(1), %r0, %r1
0a: 31000002    pushtv DT_TYPE(0), %r0, %r2
0b: 2f002001    call DIF_SUBR(32), %r1      ! substr
0c: 33000000    flushts
0d: 1100000f    ba   15
0e: 26000501    sets DT_STRING[5], %r1      ! "no"
0f: 23000001    ret  %r1


DIFO 0x0 returns D type (integer) (size 4)
OFF OPCODE      INSTRUCTION
00: 29011601    ldgs DT_VAR(278), %r1       ! DT_VAR(278) = "pid"
01: 25000002    setx DT_INTEGER[0], %r2     ! 0x4d2
02: 0f010200    cmp  %r1, %r2
03: 13000008    bne  8
04: 29011801    ldgs DT_VAR(280), %r1       ! DT_VAR(280) = "execname"
05: 26000e02    sets DT_STRING[14], %r2     ! "bash"
06: 27010200    scmp %r1, %r2
07: 1300000a    bne  10
08: 0e000001    mov  %r0, %r1
09: 1100000b    ba   11
0a: 25000101    setx DT_INTEGER[1], %r1     ! 0x1
0b: 23000001    ret  %r1

NAME             ID   KND SCP FLAG TYPE
pid              278  scl glb r    D type (integer) (size 4)
execname         280  scl glb r    string (unknown) by ref (size 16)

DIFO 0x0 returns D type (integer) (size 8)
OFF OPCODE      INSTRUCTION
00: 29010101    ldgs DT_VAR(257), %r1       ! DT_VAR(257) = "timestamp"
01: 23000001    ret  %r1

NAME             ID   KND SCP FLAG TYPE
timestamp        257  scl glb r    D type (integer) (size 8)


DIFO 0x0 returns D type (integer) (size 4)
OFF OPCODE      INSTRUCTION
00: 25000001    setx DT_INTEGER[0], %r1     ! 0x1
01: 2a050201    stgs %r1, DT_VAR(1282)      ! DT_VAR(1282) = "x"
02: 23000001    ret  %r1

NAME             ID   KND SCP FLAG TYPE
x                1282 scl glb w    D type (integer) (size 4)

DIFO 0x0 returns D type (integer) (size 4)
OFF OPCODE      INSTRUCTION
00: 2c050101    ldts DT_VAR(1281), %r1      ! DT_VAR(1281) = "depth"
01: 25000002    setx DT_INTEGER[0], %r2     ! 0x1
02: 07010202    add  %r1, %r2, %r2
03: 2d050102    stts %r2, DT_VAR(1281)      ! DT_VAR(1281) = "depth"
04: 23000001    ret  %r1

NAME             ID   KND SCP FLAG TYPE
depth            1281 scl tls r/w  D type (integer) (size 4)

DIFO 0x0 returns D type (integer) (size 8)
OFF OPCODE      INSTRUCTION
00: 29010101    ldgs DT_VAR(257), %r1       ! DT_VAR(257) = "timestamp"
01: 39050301    stls %r1, DT_VAR(1283)      ! DT_VAR(1283) = "t"
02: 23000001    ret  %r1

NAME             ID   KND SCP FLAG TYPE
timestamp        257  scl glb r    D type (integer) (size 8)
t                1283 scl loc w    D type (integer) (size 8)

DIFO 0x0 returns string (unknown) by ref (size 256)
OFF OPCODE      INSTRUCTION
00: 29011801    ldgs DT_VAR(280), %r1       ! DT_VAR(280) = "execname"
01: 2a050001    stgs %r1, DT_VAR(1280)      ! DT_VAR(1280) = "s"
02: 23000001    ret  %r1

NAME             ID   KND SCP FLAG TYPE
execname         280  scl glb r    string (unknown) by ref (size 16)
s                1280 scl glb w    string (unknown) by ref (size 256)

DIFO 0x0 returns string (unknown) by ref (size 256)
OFF OPCODE      INSTRUCTION
00: 26000101    sets DT_STRING[1], %r1      ! "abc"
01: 2a050001    stgs %r1, DT_VAR(1280)      ! DT_VAR(1280) = "s"
02: 23000001    ret  %r1

NAME             ID   KND SCP FLAG TYPE
s                1280 scl glb w    string (unknown) by ref (size 256)

DIFO 0x0 returns string (unknown) by ref (size 256)
OFF OPCODE      INSTRUCTION
00: 29050001    ldgs DT_VAR(1280), %r1      ! DT_VAR(1280) = "s"
01: 2d050401    stts %r1, DT_VAR(1284)      ! DT_VAR(1284) = "name"
02: 23000001    ret  %r1

NAME             ID   KND SCP FLAG TYPE
s                1280 scl glb r    string (unknown) by ref (size 256)
name             1284 scl tls w    string (unknown) by ref (size 256)

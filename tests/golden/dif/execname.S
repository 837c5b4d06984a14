
DIFO 0x0 returns string (unknown) by ref (size 16)
OFF OPCODE      INSTRUCTION
00: 29011801    ldgs DT_VAR(280), %r1       ! DT_VAR(280) = "execname"
01: 23000001    ret  %r1

NAME             ID   KND SCP FLAG TYPE
execname         280  scl glb r    string (unknown) by ref (size 16)

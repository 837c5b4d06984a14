
DIFO 0x0 returns D type (integer) (size 4)
OFF OPCODE      INSTRUCTION
00: 29011601    ldgs DT_VAR(278), %r1       ! DT_VAR(278) = "pid"
01: 23000001    ret  %r1

NAME             ID   KND SCP FLAG TYPE
pid              278  scl glb r    D type (integer) (size 4)

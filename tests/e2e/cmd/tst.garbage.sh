# timeout: 60
# Damaged programs are refused or compile; nothing crashes or hangs.
python3 - "$HERE" <<'PY'
import os, pathlib, random, subprocess, sys
random.seed(1)
texts = [p.read_bytes() for p in sorted(pathlib.Path(sys.argv[1]).parent.glob('*/*.d'))]
for i in range(200):
    text = bytearray(random.choice(texts))
    for _ in range(random.choice([1, 1, 2, 5])):
        at = random.randrange(len(text))
        match random.randrange(4):
            case 0: text[at] = random.randrange(256)
            case 1: del text[at:at + random.randrange(1, 20)]
            case 2: text[at:at] = random.choice(texts)[:random.randrange(40)]
            case 3: text[at:at] = random.choice([b'(', b'{', b'@', b'"', b'/', b'[', b'->', b'$1'])
        text = text or bytearray(b'x')
    pathlib.Path('x.d').write_bytes(text)
    try:
        status = subprocess.run([os.environ['DTRACE'], '-es', 'x.d', '1', 'a'], timeout=10,
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL).returncode
    except subprocess.TimeoutExpired:
        status = 'no end'
    if status not in (0, 1, 2):
        print('status', status, 'for', bytes(text))
PY

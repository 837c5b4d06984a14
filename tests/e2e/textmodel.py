#!/usr/bin/env python3
"""textmodel.py COUNT [SEED]: subroutines on text, with random arguments, against
a model of what they must give.  What has no answer is "", as NULL is in a
variable."""
import json
import os
import random
import socket
import subprocess
import sys

DIGITS = '0123456789abcdefghijklmnopqrstuvwxyz'
BLANKS = ' \t\n\v\f\r'


def quoted(s):
    return '"' + ''.join(f'\\{ord(c):03o}' if c in '"\\' or c not in
                         map(chr, range(32, 127)) else c for c in s) + '"'


def text(r, letters, most=12):
    return ''.join(r.choice(letters) for _ in range(r.randint(0, most)))


def number(r):
    return r.choice([0, 1, -1, 2, -2, 3, 5, -5, r.randint(-15, 15), 100, -100,
                     2**31 - 1, -2**31])


def signed(v):
    return (v + 2**63) % 2**64 - 2**63


# --- Each gives a call as D has it, its result, and statements to go before -------

def substr(r):
    """As in Perl: what lies outside is cut off, negative counts from the end."""
    s, start, length = text(r, 'abcdef'), number(r), r.choice([None, number(r)])
    first = start + len(s) if start < 0 else start
    end = len(s) if length is None else \
        first + length if length >= 0 else len(s) + length
    want = s[max(first, 0):max(end, 0)] if first <= len(s) else ''
    more = '' if length is None else f', {length}'
    return f'substr({quoted(s)}, {start}{more})', want


def index(r):
    s, part, start = text(r, 'ab'), text(r, 'ab', 3), number(r)
    at = s.find(part, min(max(start, 0), len(s)))
    return f'lltostr(index({quoted(s)}, {quoted(part)}, {start}))', str(at)


def rindex(r):
    s, part, start = text(r, 'ab'), text(r, 'ab', 3), number(r)
    at = -1 if start < 0 else s.rfind(part, 0, min(start, len(s)) + len(part))
    return f'lltostr(rindex({quoted(s)}, {quoted(part)}, {start}))', str(at)


def search(r):
    s, c, part = text(r, 'abcab'), r.choice('abz'), text(r, 'ab', 3)
    name, what, at = r.choice([('strchr', f"'{c}'", s.find(c)),
                               ('strrchr', f"'{c}'", s.rfind(c)),
                               ('strstr', quoted(part), s.find(part))])
    return f'{name}({quoted(s)}, {what})', s[at:] if at >= 0 else ''


def case(r):
    s = text(r, 'aZ[{`@zA\xe9\x01')
    name, old, new = r.choice([('toupper', 'az', 'AZ'), ('tolower', 'AZ', 'az')])
    return f'{name}({quoted(s)})', s.translate(str.maketrans(old, new))


def strjoin(r):
    a, b = text(r, 'ab', 150), text(r, 'cd', 150)
    return f'strjoin({quoted(a)}, {quoted(b)})', (a + b)[:255]


def lltostr(r):
    v, base = r.choice([0, 1, -1, 2**63 - 1, number(r)]), r.randint(2, 36)
    left, digits = abs(v) if base == 10 else v % 2**64, ''
    while left:
        left, digit = divmod(left, base)
        digits = DIGITS[digit] + digits
    prefix = '-' if base == 10 and v < 0 else '0x' if base == 16 else \
        '0' if base == 8 and digits else ''
    return f'lltostr({v}, {base})', prefix + (digits or '0')


def strtoll(r):
    base = r.choice([2, 8, 10, 16, 16, 36])
    s = r.choice(['', ' ', '\t']) + r.choice(['', '-', '+']) + \
        r.choice(['', '0x']) + text(r, '0123789abfgz ', 20)
    rest, v = s.lstrip(BLANKS), 0
    sign = -1 if rest[:1] == '-' else 1
    rest = rest[1:] if rest[:1] in ('-', '+') else rest
    if base == 16 and rest[:2] == '0x' and rest[2:3] in tuple(DIGITS[:16]):
        rest = rest[2:]
    for c in rest:
        if c not in DIGITS[:base]:
            break
        v = v * base + DIGITS.index(c)
    return f'lltostr(strtoll({quoted(s)}, {base}))', str(signed(v * sign))


def strtok(r):
    """The third part, with other delimiters each time."""
    s, calls, part = text(r, 'ab,;: ', 14), [], None
    rest = s
    for k in range(3):
        by = ''.join(r.sample(',;: ', r.randint(0, 3)))
        calls.append(f'strtok({"NULL" if k else quoted(s)}, {quoted(by)})')
        rest = rest.lstrip(by) if by else rest
        end = next((i for i, c in enumerate(rest) if c in by), len(rest))
        part, rest = rest[:end], rest[end + 1:]
    return calls[-1], part, *calls[:-1]


def address(r):
    b = []
    for _ in range(8):
        b += r.choice([[0, 0], [0, 0], [0, r.randint(1, 255)],
                       [r.randint(1, 255), r.randint(0, 255)]])
    b[0] = b[0] or 254		# not an older address in the newer form
    return 'inet_ntoa6(v)', socket.inet_ntop(socket.AF_INET6, bytes(b)), \
        *(f'v[{i}] = {n}' for i, n in enumerate(b))


def document(r, depth):
    kind = r.random() if depth else 0
    if kind < .4:
        return r.choice([1, -2.5, True, None, 's', 'a"b', '', {}, []])
    if kind < .7:
        return [document(r, depth - 1) for _ in range(r.randint(0, 3))]
    return {r.choice('abc'): document(r, depth - 1)
            for _ in range(r.randint(0, 3))}


def json_value(r):
    doc = document(r, 3)
    at, path = doc, ''
    while at is not ... and (not path or r.random() < .8):
        i, k = r.randint(0, 2), r.choice('abc')
        if isinstance(at, list):
            path += f'[{i}]'
            at = at[i] if i < len(at) else ...
        else:
            path += ('.' if path else '') + k
            at = at.get(k, ...) if isinstance(at, dict) else ...
    want = '' if at is ... else json.dumps(at)
    if at is not ... and isinstance(at, str):
        want = want[1:-1]
    return f'json({quoted(json.dumps(doc))}, {quoted(path)})', want


KINDS = [substr, index, rindex, search, case, strjoin, lltostr, strtoll, strtok,
         address, json_value]
EACH = 100	# in one program


def run(cases):
    program = 'string r; uint8_t v[16];\n'
    for call, _, *before in cases:
        statements = '; '.join([*before, f'r = {call}'])
        program += f'BEGIN {{ {statements}; printf("%s\\001", r); }}\n'
    out = subprocess.run([os.environ['DTRACE'], '-qn', program +
                          'BEGIN { exit(0); }'], stdout=subprocess.PIPE).stdout
    for call, want, *_ in cases:
        want = want.encode('latin1') + b'\1'
        if not out.startswith(want):
            print(call, 'is not', want, 'but', out[:60])
            return False
        out = out[len(want):]
    return True


def main():
    count = int(sys.argv[1])
    r = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    for at in range(0, count, EACH):
        if not run([KINDS[i % len(KINDS)](r) for i in range(at, at + EACH)]):
            return 1
    print(count, 'calls')
    return 0


sys.exit(main())

"""either.py DTRACE LIBRARIES: of each __either(...) of the libraries, which of its operands
means something to this kernel; prints those of which none does but the last, which is
what is told where nothing is known."""
import pathlib
import re
import subprocess
import sys

# Those that are meant to: what newer kernels alone have (blocked_on says which mutex a
# task waits for), and what depends on how a kernel is configured, or is in a module that
# may not be loaded.
ABSENT = {'T->blocked_on != NULL', 'T->pi_blocked_on != NULL',
          'sizeof(struct nfs_pgio_header) != 0 ? P & 2 : 0'}


def split(text):
    """The operands behind `__either(`."""
    depth, parts = 0, ['']
    for c in text:
        if c == ')' and depth == 0:
            return [' '.join(p.split()) for p in parts]
        if c == ',' and depth == 0:
            parts.append('')
            continue
        depth += (c in '([') - (c in ')]')
        parts[-1] += c


def parameters(before):
    """Of the inline or translator around it: its parameters, as (type, name)."""
    at = max(before.rfind('\ninline '), before.rfind('\ntranslator '))
    head = before[at:]
    found = re.match(r'\ntranslator \w+ < ([^>]*) >', head)
    if found:
        texts = [found[1]]
    else:
        found = re.match(r'\ninline [^=[]*\[([^]]*)\]', head)
        texts = found[1].split(',') if found else []
    return [re.fullmatch(r'\s*(.*?\W)\s*(\w+)\s*', t).groups() for t in texts]


def means_something(dtrace, variables, operand, params):
    args = ', '.join(f'{t} {n}' for t, n in params) or 'int UNUSED'
    values = ', '.join(f'({t.strip()})0' for t, _ in params) or '0'
    program = f'{variables}inline int tried[{args}] = ({operand}) != 0;\n' \
        f'BEGIN {{ trace(tried[{values}]); }}\n'
    made = subprocess.run([dtrace, '-es', '/dev/stdin'], input=program,
                          capture_output=True, text=True)
    return made.returncode == 0, made.stderr


def main():
    dtrace, folder = sys.argv[1:3]
    n = 0
    for path in sorted(pathlib.Path(folder).glob('*.d')):
        text = re.sub(r'/\*.*?\*/', '', path.read_text(), flags=re.S)
        variables = ''.join(re.findall(r'^this .*;\n', text, re.M))
        for found in re.finditer(r'__either\(', text):
            operands = split(text[found.end():])
            params = parameters(text[:found.start()])
            # One that is no value by itself says something of the kernel, too.
            if not re.search(r'->|offsetof', operands[-1]):
                value = operands.pop()
            tried = [means_something(dtrace, variables, o, params) for o in operands]
            n += 1
            if not any(ok for ok, _ in tried) and operands[0] not in ABSENT:
                print(f'{path.name}: nothing but {value} of {operands}\n{tried[0][1]}')
    print(n > 10)


main()

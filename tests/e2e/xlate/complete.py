"""complete.py LIBRARIES TESTS: each member of each translator that the libraries bring
along is looked at by some test."""
import pathlib
import re
import sys

libraries, tests = map(pathlib.Path, sys.argv[1:3])
words = set()
for path in tests.rglob('*'):
    if path.suffix in ('.d', '.sh', '.py'):
        words |= set(re.findall(r'\w+', path.read_text(errors='replace')))
members = set()
for path in libraries.glob('*.d'):
    text = re.sub(r'/\*.*?\*/', '', path.read_text(), flags=re.S)
    for body in re.findall(r'^translator \w+ < [^>]*> \{(.*?)^\};', text, re.M | re.S):
        members |= set(re.findall(r'^\t(\w+) =', body, re.M))
print(*sorted(members - words), len(members) > 120)

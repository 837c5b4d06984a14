"""What tools/mutate does to a line: all small faults that a C file offers.

A file is masked first: comments, strings and characters become blanks of the
same length, so that offsets stay and only code is looked at.  Left alone are
assertions, which are tests themselves; preprocessor lines but #define; tables of
words.  A fault never changes the number of lines."""
import re
from dataclasses import dataclass

SWAPS = {
    '<': '<=', '<=': '<', '>': '>=', '>=': '>', '==': '!=', '!=': '==',
    '&&': '||', '||': '&&', '+': '-', '-': '+', '*': '+', '/': '*', '%': '/',
    '+=': '-=', '-=': '+=', '*=': '/=', '/=': '*=', '|=': '=', '&=': '|=',
    '<<': '>>', '>>': '<<', '&': '|', '|': '&', '<<=': '>>=', '>>=': '<<=',
    '++': '--', '--': '++', '!': '', '~': '',
}
BINARY_ONLY = {'*', '&', '+', '-', '|', '/', '%', '<<', '>>'}
WORDS = {
    'true': 'false', 'false': 'true', 'break': ';', 'continue': ';',
    '__ATOMIC_ACQUIRE': '__ATOMIC_RELAXED', 'BASE_MIN': 'BASE_MAX',
    '__ATOMIC_RELEASE': '__ATOMIC_RELAXED', 'BASE_MAX': 'BASE_MIN',
}
HIDDEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|'
                    r"'(?:\\.|[^'\\\n])*'", re.S)
TOKEN = re.compile(r'<<=|>>=|->|\+\+|--|&&|\|\||[<>=!+\-*/%&|^]=|<<|>>|'
                   r'0[xX][0-9a-fA-F]+[uUlL]*|\d+[uUlL]*(?![\w.])|'
                   r'[A-Za-z_]\w*|\S')
SKIPPED = re.compile(r'\bassert\b|_Static_assert|^\s*#(?!\s*define)|'
                     r'__attribute__|^\s*}\s*$|SEC\(')
# A statement that can go: an assignment or a call, not a declaration.
STATEMENT = re.compile(
    r'(?:\*|\+\+|--|\()*[A-Za-z_]\w*(?:(?:->|\.)\w+|\[[^][\n]*\]|\))*\s*'
    r'(?:(?:[-+*/|&^%]|<<|>>)?=(?!=)|\+\+|--|\()')
KEYWORDS = {'if', 'for', 'while', 'switch', 'return', 'sizeof', 'case', 'else',
            'do', 'goto', 'typeof', 'defined', 'CLEANUP', 'VEC'}
SYMMETRIC = {'strcmp', 'strncmp', 'memcmp', 'BASE_MIN', 'BASE_MAX',
             'probe_globs_meet'}
# How often each kind is taken, of what there is.
WEIGHTS = {'statement': 4, 'operator': 4, 'number': 3, 'condition': 2,
           'swap': 1, 'return': 1, 'word': 2}
MAYBE_UNARY = re.compile(r'[(,=;{}?:<>!&|+\-*/%^~\[]$|\b(?:return|case)$')


@dataclass(frozen=True)
class Mutant:
    """Bytes start to end of the file become text."""
    path: str
    start: int
    end: int
    text: str
    kind: str                   # of WEIGHTS
    what: str
    line: int


def mask(text):
    """The same length and lines, only code."""
    def blank(found):
        quote = found[0][0] if found[0][0] in '"\'' else ''
        inner = re.sub(r'[^\n]', ' ', found[0])
        return quote + inner[1:-1] + quote if quote else inner
    return HIDDEN.sub(blank, text)


def closing(code, at):
    """Where the bracket at `at` closes; -1: nowhere."""
    depth = 0
    for i in range(at, len(code)):
        depth += code[i] in '([{'
        depth -= code[i] in ')]}'
        if depth == 0:
            return i
    return -1


def arguments(code, start, end):
    """The spans between the commas of a list."""
    spans, depth, at = [], 0, start
    for i in range(start, end):
        depth += code[i] in '([{'
        depth -= code[i] in ')]}'
        if code[i] == ',' and depth == 0:
            spans.append((at, i))
            at = i + 1
    return spans + [(at, end)]


class Maker:
    def __init__(self, path, text):
        self.path, self.text, self.code = path, text, mask(text)
        self.found = []

    def add(self, kind, start, end, text, what):
        line = self.text.count('\n', 0, start) + 1
        lines = self.text[start:end].count('\n') - text.count('\n')
        self.found.append(Mutant(self.path, start, end, text + '\n' * lines,
                                 kind, what, line))

    def number(self, token, start, end):
        digits = token.rstrip('uUlL')
        value = int(digits, 0 if digits[:2] in ('0x', '0X') else
                    8 if digits[0] == '0' else 10)
        suffix = token[len(digits):]
        self.add('number', start, end, f'{value + 1}{suffix}', f'{token} + 1')
        if value:
            self.add('number', start, end, f'{value - 1}{suffix}', f'{token} - 1')

    def operator(self, token, start, end):
        before = self.code[max(0, start - 80):start].rstrip()
        if token in BINARY_ONLY and (
                not before or MAYBE_UNARY.search(before) or
                not self.code[end:end + 1].isspace()):
            return
        self.add('operator', start, end, SWAPS[token],
                 f'{token} becomes {SWAPS[token] or "nothing"}')

    def condition(self, word, end):
        start = self.code.find('(', end)
        last = closing(self.code, start) if start >= 0 else -1
        if self.code[end:start].strip() or last < 0:
            return
        inner = self.text[start:last + 1]
        self.add('condition', start, last + 1, f'(!{inner})',
                 f'{word} negated')

    def swap(self, word, end):
        if self.code[end:end + 1] != '(' or word in KEYWORDS | SYMMETRIC:
            return
        last = closing(self.code, end)
        if last < 0 or self.code[last + 1:last + 3] == '\n{':
            return
        spans = arguments(self.code, end + 1, last)
        for (a, b), (c, d) in zip(spans, spans[1:]):
            one, two = self.text[a:b].strip(), self.text[c:d].strip()
            if one and two and one != two:
                space = self.text[c:d][:len(self.text[c:d]) -
                                       len(self.text[c:d].lstrip())]
                self.add('swap', a, d, f'{two},{space}{one}',
                         f'arguments of {word} swapped')

    def statement(self, start):
        before = self.code[:start].rstrip()
        found = STATEMENT.match(self.code, start)
        word = re.match(r'[(*+-]*(\w+)', self.code[start:])
        if not found or word[1] in KEYWORDS or not (
                before[-1:] in '{};:)' or before.endswith('else')):
            return
        depth, end = 0, start
        while end < len(self.code) and (depth or self.code[end] != ';'):
            depth += self.code[end] in '([{'
            depth -= self.code[end] in ')]}'
            if depth < 0:
                return
            end += 1
        self.add('statement', start, end, '', 'statement removed')

    def early_return(self):
        for found in re.finditer(r'^((?:\w|[ *])+)\n\w+\([^;{}]*\)\n{$',
                                 self.code, re.M):
            void = re.search(r'\bvoid$', found[1])
            self.add('return', found.end() - 1, found.end(),
                     '{ return; ' if void else '{ return 0; ', 'early return')

    def make(self):
        offset = 0
        for line in self.code.splitlines(True):
            if not SKIPPED.search(line):
                self.line(line, offset)
            offset += len(line)
        self.early_return()
        return self.found

    def line(self, line, offset):
        indent = len(line) - len(line.lstrip())
        if indent and line.strip():
            self.statement(offset + indent)
        for found in TOKEN.finditer(line):
            token, start, end = found[0], *found.span()
            start, end = start + offset, end + offset
            if token[0].isdigit():
                self.number(token, start, end)
            elif token in SWAPS and (indent or line[0] == '#'):
                self.operator(token, start, end)
            elif token in WORDS:
                self.add('word', start, end, WORDS[token],
                         f'{token} becomes {WORDS[token]}')
            elif token in ('if', 'while'):
                self.condition(token, end)
            elif token.isidentifier() and indent:
                self.swap(token, end)


def mutants(path, text):
    """All that can be made of a file, in its order."""
    return sorted(Maker(path, text).make(),
                  key=lambda m: (m.start, m.end, m.text))


def shuffled(all_, random):
    """All of them, the kinds mixed by WEIGHTS."""
    kinds = {}
    for m in all_:
        kinds.setdefault(m.kind, []).append(m)
    for members in kinds.values():
        random.shuffle(members)
    while kinds:
        names = sorted(kinds)
        kind = random.choices(names, [WEIGHTS[k] for k in names])[0]
        yield kinds[kind].pop()
        if not kinds[kind]:
            del kinds[kind]


def apply(text, mutant):
    return text[:mutant.start] + mutant.text + text[mutant.end:]

#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""pagecheck.py FILE [EXPRESSION]: a page that dtrace has made is well-formed,
needs nothing from elsewhere, and its frames lie within those that they stand
on.  Then print the value of a Python expression in which `frames` are those of
a flame graph, {depth, x, w, title, label}, `tables` the text of the cells of each
table, row by row, and `titles` that of all title elements."""
import html.parser
import pathlib
import re
import sys

VOID = {'meta', 'input', 'br'}


class Page(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.open, self.wrong = [], []
        self.frames, self.tables, self.titles, self.headings = [], [], [], []
        self.texts = []
        self.feed(text)
        self.close()
        if self.open:
            self.wrong.append(f'not closed: {self.open}')

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        for name in ('src', 'href', 'xlink:href'):
            if name in attrs and not attrs[name].startswith('#'):
                self.wrong.append(f'{tag} needs {attrs[name]}')
        if tag not in VOID:
            self.open.append(tag)
            self.texts.append('')
        if tag == 'g' and 'data-x' in attrs:
            self.frames.append({'x': float(attrs['data-x']), 'w': float(attrs['data-w']),
                                'depth': int(attrs['data-d']),
                                'label': attrs.get('data-f')})
        if tag == 'table':
            self.tables.append([])
        if tag == 'tr':
            self.tables[-1].append([])

    def handle_startendtag(self, tag, attrs):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f'{tag} at {self.getpos()}')
        text = self.texts.pop() if self.texts else ''
        if self.texts and tag == 'span':
            self.texts[-1] += text
        if tag == 'title':
            self.titles.append(text)
            if self.frames and 'title' not in self.frames[-1]:
                self.frames[-1]['title'] = text
        if tag in ('td', 'th'):
            self.tables[-1][-1].append(text)
        if tag in ('h1', 'h2', 'h3'):
            self.headings.append(text)

    def handle_data(self, data):
        if self.texts:
            self.texts[-1] += data


def frames_wrong(frames):
    """Frames come from the root on, each behind the one that it stands on."""
    stack = []
    for f in frames:
        del stack[f['depth']:]
        if len(stack) != f['depth']:
            yield f'{f}: stands on nothing'
            return
        if stack and (f['x'] < stack[-1]['x'] - 1e-6 or
                      f['x'] + f['w'] > stack[-1]['x'] + stack[-1]['w'] + 1e-6):
            yield f'{f}: beyond {stack[-1]}'
        stack.append(f)


def main():
    text = pathlib.Path(sys.argv[1]).read_bytes().decode('utf-8')
    page = Page(text)
    wrong = page.wrong + list(frames_wrong(page.frames))
    wrong += re.findall(r'(?:https?:|url\()[^"\']*', text.replace('http://www.w3.org/2000/svg', ''))
    if not text.startswith('<!DOCTYPE html>') or not text.endswith('</body></html>\n'):
        wrong.append('not a whole page')
    for line in wrong[:10]:
        print(line)
    if len(sys.argv) > 2:
        print(eval(f'({sys.argv[2]})', vars(page) | {'re': re, 'page': text}))
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())

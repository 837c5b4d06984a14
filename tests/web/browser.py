#!/usr/bin/env python3
"""browser.py PAGES: the pages that dtrace makes, in a browser without a screen;
TAP.  PAGES writes them into a directory.

Each page gets a script before its own, which notes every error, and one behind it,
which does what a reader would do and says what can be seen then."""
import html
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

BROWSERS = ('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable')
BEFORE = '''<script>var wrong = [];
window.onerror = function (what, where, line) { wrong.push(what + ' at ' + line); };
</script>'''
AFTER = '''<script>
function seen(selector) {
	return [...document.querySelectorAll(selector)].filter(e => e.getBoundingClientRect().width > 0);
}
function frame(name) {
	return [...document.querySelectorAll('svg g')].find(
		g => g.children[0].textContent.startsWith(name + ' \\u2014'));
}
function labels() {
	return seen('svg g').map(g => g.children[2].textContent);
}
function width(name) {
	return Math.round(frame(name).children[1].getBoundingClientRect().width);
}
function click(e) {
	e.dispatchEvent(new MouseEvent('click', { bubbles: true }));
}
function type(text) {
	document.getElementById('q').value = text;
	document.getElementById('q').dispatchEvent(new Event('input'));
}
function text(selector) {
	return document.querySelector(selector).textContent;
}
var result;
try { result = (function () { %s })(); } catch (e) { wrong.push(String(e)); }
var pre = document.createElement('pre');
pre.id = 'result';
pre.textContent = JSON.stringify({ wrong: wrong, result: result });
document.body.appendChild(pre);
</script>'''

# page, what is done, what is seen
CASES = [
    ('flame.html', 'return labels();', ['all', '', '', 'wide', '', 'leaf']),
    # zooming makes what is narrow as wide as the picture, and hides the rest
    ('flame.html', '''click(frame('<script>'));
        return [labels(), width('<script>') == width('all'), width('wide')];''',
     [['all', '<script>', 'narrow'], True, 0]),
    ('flame.html', '''click(frame('narrow')); click(document.getElementById('reset'));
        return labels();''', ['all', '', '', 'wide', '', 'leaf']),
    # a caller and what it calls are counted once
    ('flame.html', '''type('WIDE|leaf'); return [text('#found'), seen('svg .hit').length];''',
     ['99.90% in 2 frames', 2]),
    ('flame.html', '''type('leaf'); return [text('#found'), seen('svg .hit').length];''',
     ['60.00% in 1 frames', 1]),
    ('flame.html', '''type('wide('); return [text('#found'), seen('svg .hit').length];''',
     ['', 0]),
    ('flame.html', '''frame('leaf').children[1].dispatchEvent(
        new MouseEvent('mouseover', { bubbles: true })); return text('#at');''',
     'leaf — 600, 60.00%'),
    # a frame says its function, and more of it to those who ask
    ('stack.html', 'return labels();', ['all', 'save_stack', 'save_flames']),
    ('stack.html', '''frame('pages`save_flames').children[1].dispatchEvent(
        new MouseEvent('mouseover', { bubbles: true })); return text('#at');''',
     'pages`save_flames — 1\u202f200, 100.00%'),
    ('stack.html', "return [document.title, text('h1'), text('.program'), text('p')];",
     ['Flame graph: profile-997 { @[ustack()]', 'Flame graph',
      'profile-997 { @[ustack()]\n= count(); }\n-c a&b',
      '1\u202f200 samples, 2.5 s from 2001 Sep  9 01:46:41']),
    # bars as wide as the numbers say
    ('tables.html', '''let bars = seen('.bar i').slice(0, 2);
        return Math.round(100 * bars[1].getBoundingClientRect().width
                              / bars[0].getBoundingClientRect().width);''', 50),
    ('tables.html', '''return seen('.heat svg rect').map(r => r.children[0].textContent);''',
     ['0.0 s, 64: 3', '0.0 s, 256: 5', '0.0 s, 64: 3', '0.0 s, 256: 5']),
    ('tables.html', '''return seen('h1, h2').map(h => h.textContent);''',
     ['dtrace', '@ sum', '@ quantize']),
    ('tables.html', '''let cells = seen('table:last-of-type td'); return cells[cells.length - 1].textContent;''',
     'hello <world>'),
    ('nothing.html', '''return [seen('svg').length, seen('p.empty').length];''', [0, 1]),
]


def open_page(browser, page, does, directory):
    """What the page's own script and `does` have to say."""
    text = page.read_text().replace('<head>', '<head>' + BEFORE, 1)
    changed = directory / 'page.html'
    changed.write_text(text.replace('</body>', AFTER % does + '</body>'))
    done = subprocess.run(
        [browser, '--headless', '--no-sandbox', '--disable-gpu', '--window-size=1280,800',
         f'--user-data-dir={directory}/profile', '--dump-dom', f'file://{changed}'],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=60)
    found = re.search('<pre id="result">(.*?)</pre>', done.stdout, re.S)
    if not found:
        return {'wrong': ['no result; the browser says: ' + done.stderr[-500:]]}
    return json.loads(html.unescape(found[1]))


def main():
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if not browser:
        print('1..0 # SKIP no Chromium')
        return 0
    print(f'1..{len(CASES)}')
    with tempfile.TemporaryDirectory() as directory:
        directory = pathlib.Path(directory)
        subprocess.run([sys.argv[1], directory], check=True)
        for number, (page, does, wanted) in enumerate(CASES, 1):
            said = open_page(browser, directory / page, does, directory)
            good = not said['wrong'] and said.get('result') == wanted
            print(f"{'' if good else 'not '}ok {number} - {page} {number}")
            if not good:
                print(f'# {does}\n# {said}\n# not {wanted}')
    return 0


if __name__ == '__main__':
    sys.exit(main())

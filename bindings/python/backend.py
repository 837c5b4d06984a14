# SPDX-License-Identifier: BSD-2-Clause
"""How pip makes a wheel of the package (PEP 517): files in an archive.

Nothing is compiled, so nothing is needed for it, and `pip install` works without
a network or setuptools.
"""
import base64
import hashlib
import pathlib
import re
import tarfile
import zipfile

ROOT = pathlib.Path(__file__).resolve().parent
NAME = 'dtrace'
VERSION = re.search(r'^version = "(.*)"', (ROOT / 'pyproject.toml').read_text(), re.M)[1]
INFO = f'{NAME}-{VERSION}.dist-info'
METADATA = f'''Metadata-Version: 2.1
Name: {NAME}
Version: {VERSION}
Summary: Ask a running system questions, in the D language
License: BSD-2-Clause
Requires-Python: >=3.9
Description-Content-Type: text/markdown

'''
WHEEL = 'Wheel-Version: 1.0\nGenerator: dtrace\nRoot-Is-Purelib: true\nTag: py3-none-any\n'


def files():
    for path in sorted((ROOT / NAME).iterdir()):
        if path.suffix in ('.py', '.typed'):
            yield f'{NAME}/{path.name}', path.read_bytes()
    yield f'{INFO}/METADATA', METADATA.encode() + (ROOT / 'README.md').read_bytes()
    yield f'{INFO}/WHEEL', WHEEL.encode()


def digest(data):
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name, record = f'{NAME}-{VERSION}-py3-none-any.whl', ''
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, 'w', zipfile.ZIP_DEFLATED) as wheel:
        for path, data in files():
            wheel.writestr(path, data)
            record += f'{path},sha256={digest(data)},{len(data)}\n'
        wheel.writestr(f'{INFO}/RECORD', record + f'{INFO}/RECORD,,\n')
    return name


def build_sdist(sdist_directory, config_settings=None):
    name = f'{NAME}-{VERSION}'
    with tarfile.open(pathlib.Path(sdist_directory) / f'{name}.tar.gz', 'w:gz') as sdist:
        for part in ('backend.py', 'pyproject.toml', 'README.md', NAME, 'tests'):
            sdist.add(ROOT / part, f'{name}/{part}')
    return f'{name}.tar.gz'

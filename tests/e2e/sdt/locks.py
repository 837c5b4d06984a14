"""A lock that a child cannot have, 20 times."""
import fcntl
import os

with open('lock', 'w') as f:
    fcntl.lockf(f, fcntl.LOCK_EX)
    child = os.fork()
    if child:
        os.waitpid(child, 0)
        raise SystemExit
    with open('lock', 'w') as g:
        for i in range(20):
            try:
                fcntl.lockf(g, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                pass
    os._exit(0)

"""Two threads that sleep."""
import threading
import time


def sleep():
    for i in range(30):
        time.sleep(0.001)


for t in [threading.Thread(target=sleep) for i in range(2)]:
    t.start()

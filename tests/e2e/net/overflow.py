"""overflow.py: more connections than a listener takes; prints what the kernel counted."""
from traffic import overflow, settle

before = settle()
ends = overflow(2000)
after = settle()
for name in 'TcpActiveOpens', 'TcpPassiveOpens', 'TcpExtListenOverflows':
    print(name, after[name] - before[name], flush=True)

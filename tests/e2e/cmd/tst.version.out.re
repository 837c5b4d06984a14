dtrace: release \d+\.\d+\.\d+ for Linux, D 1\.\d+
taken

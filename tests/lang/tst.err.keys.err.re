dtrace: script 'tst.err.keys.d' matched 1 probe
dtrace: could not enable tracing: \[D_NOREG\] line \d+: .+

dtrace: error on enabled probe ID \d+ \(ID \d+: dtrace:::BEGIN\): divide-by-zero in action #2 at DIF offset \d+
dtrace: error on enabled probe ID \d+ \(ID \d+: dtrace:::BEGIN\): divide-by-zero in action #2 at DIF offset \d+

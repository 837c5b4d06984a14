dtrace: error on enabled probe ID 1 \(ID 1: dtrace:::BEGIN\): divide-by-zero in action #2 at DIF offset \d+
dtrace: error on enabled probe ID 2 \(ID 1: dtrace:::BEGIN\): divide-by-zero in action #1 at DIF offset \d+

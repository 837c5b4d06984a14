dtrace: error on enabled probe ID 1 \(ID 1: dtrace:::BEGIN\): divide-by-zero in action #4 at DIF offset \d+
dtrace: error on enabled probe ID 2 \(ID 1: dtrace:::BEGIN\): divide-by-zero in predicate at DIF offset \d+
dtrace: error on enabled probe ID 3 \(ID 1: dtrace:::BEGIN\): invalid address \(0x10\) in action #3 at DIF offset \d+

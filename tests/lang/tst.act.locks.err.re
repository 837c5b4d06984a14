dtrace: error on enabled probe ID 3 \(ID 1: dtrace:::BEGIN\): invalid address \(0x10\) in action #1 at DIF offset \d+
dtrace: error on enabled probe ID 4 \(ID 1: dtrace:::BEGIN\): invalid address \(0x18\) in action #1 at DIF offset \d+

dtrace: error on enabled probe ID \d+ \(ID \d+: dtrace:::BEGIN\): illegal operation in action #1
dtrace: error on enabled probe ID \d+ \(ID \d+: dtrace:::BEGIN\): illegal operation in action #1
dtrace: error on enabled probe ID \d+ \(ID \d+: dtrace:::BEGIN\): illegal operation in action #1

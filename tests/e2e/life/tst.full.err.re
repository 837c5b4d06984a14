dtrace: .*No space left on device
dtrace: .*No space left on device

dtrace: error on enabled probe ID 1 \(ID 1: dtrace:::BEGIN\): setopt\( \) of "qiuet": Invalid option name \(is "quiet" meant\?\)
dtrace: error on enabled probe ID 2 \(ID 1: dtrace:::BEGIN\): setopt\( \) of "bufsize" to "1m": Operation illegal when tracing is active
dtrace: error on enabled probe ID 3 \(ID 1: dtrace:::BEGIN\): setopt\( \) of "switchrate" to "fast": Invalid value for specified option \(a time or a rate, as 100ms or 10hz\)
dtrace: error on enabled probe ID 4 \(ID 1: dtrace:::BEGIN\): setopt\( \) of "amin" to "Evolving": Operation illegal when tracing is active

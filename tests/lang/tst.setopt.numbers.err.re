dtrace: error on enabled probe ID \d+ \(ID \d+: dtrace:::BEGIN\): setopt\( \) of "quiet" to "1x": Invalid value for specified option \(on or off\)

dtrace: error on enabled probe ID 1 \(ID 1: dtrace:::BEGIN\): freopen\( \) of "/nonexistent/7": No such file or directory

... dtrace: \d+ firings? lost on CPU \d+

... dtrace: \d+ firings? lost

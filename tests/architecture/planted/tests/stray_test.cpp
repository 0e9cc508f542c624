// A stray test: it would never run.

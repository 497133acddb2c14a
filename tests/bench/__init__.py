"""Speed and memory of hsfpy's verifier against SPIN's: `make bench`. See docs/bench.md."""

"""Running models: replay, simulation, and the objects behind them.

Everything here runs the C that was generated for the model, in a shared object (`library`). `session` turns
that into Python objects; `replay`, `course` and `interactive` choose steps; `spin_text` prints as SPIN does.
"""

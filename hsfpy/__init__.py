"""hsfpy: a model checker for Promela that searches with a sense of direction."""

__version__ = "0.1.0"

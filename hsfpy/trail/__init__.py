"""Runs of a model for people and programs: step list, JSON, message sequence chart, page."""

"""The gate between a model and the store: whether what people said bears out a text, and where it stands there."""

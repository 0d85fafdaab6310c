"""Frozen msgspec structs; nothing here but values and the text derived from them."""

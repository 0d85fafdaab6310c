"""The public methods of a store, by what they are for; `Memory` joins them."""

"""Between the domain and the protocol's messages: pure functions, no input or output."""

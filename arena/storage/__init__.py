"""Where tournaments are kept: the Store protocol and its databases."""

"""Where row changes come from: one protocol, and logical decoding behind it."""

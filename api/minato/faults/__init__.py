"""What goes wrong on purpose: rules that a developer sets, and the places that heed them."""

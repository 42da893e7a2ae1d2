"""What runs in a Python function's process. It imports nothing else of the server, and nothing that a venv may lack."""

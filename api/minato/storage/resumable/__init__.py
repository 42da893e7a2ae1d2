"""Resumable uploads: who may go on with one, and what happens once all of it is there."""

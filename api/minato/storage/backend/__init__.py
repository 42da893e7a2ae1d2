"""Where the bytes lie: a folder or an object store, behind one small interface."""

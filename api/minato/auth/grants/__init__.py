"""The grants behind POST /token."""

"""The grants behind `/token`."""

"""The logistic page: which sources a private transfer regression should drop."""

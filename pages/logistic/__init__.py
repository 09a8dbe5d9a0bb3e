"""Try it, which sites to drop [DPLR]: sources that a private transfer regression should not use."""

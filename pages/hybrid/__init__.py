"""The hybrid page: volunteers and users."""

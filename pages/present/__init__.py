"""The presenter: one question of a list of lessons on one screen."""

"""Pictures that one can touch."""

from pages.pictures.picture import Picture, finite, show

"""Pictures that one can touch."""

from pages.pictures import sites
from pages.pictures.picture import Picture, finite, show

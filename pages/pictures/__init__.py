"""Pictures that one can touch."""

from pages.pictures import sites, tap
from pages.pictures.map import Nine, chosen, map_picture, moved
from pages.pictures.picture import Picture, finite, show

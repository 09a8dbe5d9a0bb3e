"""Pictures that one can touch."""

from pages.pictures import sites, tap
from pages.pictures.map import Nine, map_picture, show_map, show_nine
from pages.pictures.picture import Picture, finite, show

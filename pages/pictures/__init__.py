"""Pictures that one can touch: numbers in Python, and a script for each that moves it."""

from pages.pictures import sites
from pages.pictures.map import Ground, ground_of, map_picture, nine_data, show_map, show_nine
from pages.pictures.picture import Picture, finite, show

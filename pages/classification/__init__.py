"""Try it, a classifier [ACC]: does a real private classifier follow the rate?"""

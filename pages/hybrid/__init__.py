"""Try it, volunteers [KS]: can they stand in for the population?"""

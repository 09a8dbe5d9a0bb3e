"""Try it, a curve [CCV]: do real private estimators of a curve follow the rate?"""

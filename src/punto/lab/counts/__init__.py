"""Card counting: systems of tags, what a count gains, and the counts that gain most."""

from punto.lazy_modules import modules_of

__getattr__ = modules_of(__name__)

"""Protection studies on paper and as a page."""

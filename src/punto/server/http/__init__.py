"""HTTP: the application, its pages, and one module of routes per area."""

"""Evidence for laboratories and regulators: what is measured, judged and filed about a house."""

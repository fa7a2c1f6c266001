"""Pages of consolidation: they translate, call one action or query, answer."""

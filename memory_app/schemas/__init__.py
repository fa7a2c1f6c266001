"""What the JSON API takes and answers, by concept."""

"""The JSON API of what is remembered: translate, call one action or query, answer."""

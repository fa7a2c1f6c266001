"""The JSON API of consolidation: sessions ended, runs, rulings on decisions, previews."""

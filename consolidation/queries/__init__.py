"""What the pages of consolidation read: the queue and its items, sessions and their workbench."""

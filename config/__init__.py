"""The room that knows both apps: settings, start-up and the processes."""

import os

# The embedder's library starts threads when first imported; the child of a fork would wait for them for ever.
os.environ.setdefault("OMP_NUM_THREADS", "1")

"""The room that knows both apps: settings, start-up and the processes."""

"""The command line: the only room that knows arguments, streams, colours and exit statuses."""

"""Starting, watching and ending the processes of bots."""

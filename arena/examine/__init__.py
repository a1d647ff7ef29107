"""The entrance exam of a bot: situations it must survive, and a report card about them."""

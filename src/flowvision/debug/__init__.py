"""The debug page: a picture of every stage, and the reason for a refusal."""

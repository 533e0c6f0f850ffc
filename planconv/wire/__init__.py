"""What travels: exact JSON, and the shapes that specifications give to it; pydantic lives here only."""

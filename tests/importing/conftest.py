"""What importers read, and a repository that they write to."""

from tests.importing.sources import desk as desk

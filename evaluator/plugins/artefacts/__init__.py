"""Large files of entries, which lie elsewhere: git has a pointer with their digest."""

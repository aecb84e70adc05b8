WHO = "alice"

WHO = "bob"

"""Android phones, through the server of adb: which are connected, and what their screens show."""

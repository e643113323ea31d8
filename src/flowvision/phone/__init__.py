"""Android phones through adb: screenshots and touches."""

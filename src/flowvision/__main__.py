"""``python -m flowvision``."""

from flowvision.cli import main

if __name__ == "__main__":
    main()

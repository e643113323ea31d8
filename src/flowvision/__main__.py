"""``python -m flowvision``."""

from flowvision.cli import run

if __name__ == "__main__":
    run()

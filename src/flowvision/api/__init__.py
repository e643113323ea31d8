"""The library: what ``from flowvision import …`` gives."""

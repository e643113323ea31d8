"""The page and its server: ``flowvision web``.

By default the server listens only on this machine. It keeps no picture, writes no received data to disk, and
works in processes that can be killed.
"""

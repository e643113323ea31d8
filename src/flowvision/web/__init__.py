"""The page and its server: ``flowvision web``.

The server listens on this machine alone unless told otherwise, keeps no picture, writes nothing that it is
sent to the disk, and does all work in processes that can be ended.
"""

"""Folders of screenshots, solved in several processes; an interrupted run can be continued.

    screenshots ─► jobs ─► session (workers or a cluster) ─► store ─► results.ndjson, summary.csv, index.html

A job and its outcome are strings and numbers only, so that they cross process and cluster boundaries
whatever executor runs them.
"""

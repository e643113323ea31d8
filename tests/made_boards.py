"""Small boards of every kind with exactly one solution, made once and kept here as text."""

from __future__ import annotations

MADE = {
    "holes and walls": "#..D..\nD.E#.B\n.C.E.F\n.A.A..\n.C#B.F\n"
    "wall 1,1 2,1\nwall 1,4 1,5\nwall 2,1 3,1\nwall 3,4 3,5\n",
    "bridge": "....C\n.AC+.\n..BDA\n...B.\nD....\n",
    "warp": ".C...\n...A.\n...B.\nB..CA\nwarp 0,0 0,4\n",
    "hexagons": "hex\n.D.A\n.CAB\n..B.\nD..C\n",
}
"""By kind."""

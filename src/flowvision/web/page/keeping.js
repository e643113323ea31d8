// The board, not the picture, outlives a reload of this tab.

import { blank } from "./board.js";

const BOARD_KEY = "flowvision-board";
const SETS = ["holes", "walls", "bridges", "warps"];

export function keepBoard({ board }) {
  if (!board) return;
  const made = { ...board, dots: [...board.dots], ...Object.fromEntries(SETS.map((name) => [name, [...board[name]]])) };
  try {
    sessionStorage.setItem(BOARD_KEY, JSON.stringify(made));
  } catch {
    // No room: then it is not kept.
  }
}

export function keptBoard() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(BOARD_KEY) ?? "null");
    if (!kept) return null;
    return {
      ...blank(kept.rows, kept.cols),
      ...kept,
      dots: new Map(kept.dots),
      ...Object.fromEntries(SETS.map((name) => [name, new Set(kept[name])])),
    };
  } catch {
    return null;
  }
}

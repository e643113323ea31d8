// What there is, as a list of states to go back and forth in: board, frame, picture and how it is read.

export const NOTHING = { board: null, frame: null, picture: null, recognised: null, reading: null, crop: null, rotate: 0 };

export class Store {
  constructor(changed) {
    this.list = [NOTHING];
    this.at = 0;
    this.changed = changed;
  }

  get now() {
    return this.list[this.at];
  }

  // A new state that can be undone.
  push(part) {
    this.list = [...this.list.slice(0, this.at + 1), { ...this.now, ...part }];
    this.at++;
    this.changed(this.now);
  }

  // The same state, known better.
  amend(part) {
    this.list[this.at] = { ...this.now, ...part };
    this.changed(this.now);
  }

  go(by) {
    if (!this.can(by)) return;
    this.at += by;
    this.changed(this.now);
  }

  can(by) {
    return this.at + by >= 0 && this.at + by < this.list.length;
  }
}

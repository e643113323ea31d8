// A failed request. `code`: from the end that answers, or "lost" without an answer.
export class Refused extends Error {
  constructor(/** @type {number} */ status, /** @type {{code?: string, message?: string, hint?: string}} */ { code, message, hint }) {
    super(message ?? "No answer.");
    this.status = status;
    this.code = code ?? "odd";
    this.hint = hint ?? "";
  }
}

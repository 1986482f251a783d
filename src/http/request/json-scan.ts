import { ServiceError } from '../../contract/vocabulary/errors.js';
import { JSON_DEPTH_MAX, JSON_VALUES_MAX } from '../../contract/vocabulary/limits.js';

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const BACKSLASH = 0x5c;
/** The bit in which `[` and `{` differ, and also `]` and `}`. */
const BRACE_BIT = 0x20;
const OPENING = 0x7b;
const CLOSING = 0x7d;

/** Number of bytes to scan in one step. */
const STEP_BYTES = 1024 * 1024;

/**
 * Counts the values and the nesting depth of a JSON text before it is parsed, because the cost of all later steps grows
 * with the number of values. Does not check the syntax, which JSON.parse does.
 */
export class JsonScan {
  #at = 0;
  #depth = 0;
  #values = 1;
  #members = 0;
  #inString = false;

  constructor(private readonly json: Buffer) {}

  /** The number of members of all objects that were scanned. */
  get members(): number {
    return this.#members;
  }

  /** Scans the next bytes. Returns whether some are left. @throws ServiceError if the text exceeds a limit. */
  step(): boolean {
    const { json } = this;
    const end = Math.min(json.length, this.#at + STEP_BYTES);
    let [at, depth, values, inString] = [this.#at, this.#depth, this.#values, this.#inString];
    for (; at < end; at += 1) {
      const byte = json[at] as number;
      if (inString) {
        if (byte === BACKSLASH) at += 1;
        else if (byte === QUOTE) inString = false;
      } else if (byte === QUOTE) {
        // A long string is usually an attachment without escapes. indexOf is many times faster than this loop.
        const quote = json.indexOf(QUOTE, at + 1);
        if (quote !== -1 && json[quote - 1] !== BACKSLASH) at = quote;
        else inString = true;
      } else if (byte === COLON) this.#members += 1;
      else if (byte === COMMA) values += 1;
      else if ((byte | BRACE_BIT) === OPENING) {
        values += 1;
        depth += 1;
        if (depth > JSON_DEPTH_MAX) throw excess(`is nested deeper than ${JSON_DEPTH_MAX} levels`);
      } else if ((byte | BRACE_BIT) === CLOSING) depth -= 1;
      if (values > JSON_VALUES_MAX) throw excess(`contains more than ${JSON_VALUES_MAX} values`);
    }
    [this.#at, this.#depth, this.#values, this.#inString] = [at, depth, values, inString];
    return at < json.length;
  }
}

function excess(what: string): ServiceError {
  return new ServiceError('bad_request', `The request body ${what}.`);
}

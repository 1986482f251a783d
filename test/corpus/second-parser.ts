import { fileURLToPath } from 'node:url';
import { runTool } from '../support/cli/tools.js';

/** Reads a message with Python's email package: a parser that has nothing in common with ours. */

export interface Raised {
  raised: string;
}

export type Mailbox = [name: string, address: string];

/** A part without parts of its own. */
export interface Part {
  type: string;
  /** The field unchanged; null when it is missing. */
  given_type: string | null;
  disposition: string | null;
  filename: string | null;
  encoding: string;
  /** Whether its base64 or quoted-printable is valid by RFC 2045. */
  well_encoded: boolean;
  /** The parameter of the Content-Type. */
  boundary: string | null;
  flowed: boolean;
  charset: string;
  /** Whether its bytes are text in the declared charset. */
  well_chosen_charset: boolean;
  /** The decoded text; null for other content. */
  text: string | null;
  /** Of the decoded bytes; null for an enclosed message, which this parser rewrites. */
  sha256: string | null;
}

export interface SecondReading {
  /** The number of header fields. */
  headers: number;
  subjects: string[] | Raised;
  /** The mailboxes of each field with this name. */
  From: Mailbox[][] | Raised;
  To: Mailbox[][] | Raised;
  Cc: Mailbox[][] | Raised;
  'Reply-To': Mailbox[][] | Raised;
  /** Types of the multipart parts. */
  containers: string[];
  parts: Part[] | Raised;
  defects: string[];
}

const SCRIPT = fileURLToPath(new URL('../support/mail/read_corpus.py', import.meta.url));

/** Reads all messages in one process. */
export async function readBySecondParser(messages: readonly Buffer[]): Promise<SecondReading[]> {
  const framed = messages.flatMap((message) => {
    const length = Buffer.alloc(4);
    length.writeUInt32BE(message.length);
    return [length, message];
  });
  const output = await runTool('python3', [SCRIPT], Buffer.concat(framed));
  return output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as SecondReading);
}

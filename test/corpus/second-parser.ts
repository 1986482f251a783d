import { fileURLToPath } from 'node:url';
import { runTool } from '../support/cli/tools.js';

/** What Python's email package finds in a message: a parser that has nothing in common with ours. */

export interface Raised {
  raised: string;
}

export type Mailbox = [name: string, address: string];

/** A part that has no parts of its own. */
export interface Part {
  type: string;
  /** The field as it came; null when there is none. */
  given_type: string | null;
  disposition: string | null;
  filename: string | null;
  encoding: string;
  /** Whether its base64 or quoted-printable is what RFC 2045 allows. */
  well_encoded: boolean;
  /** The parameter of the Content-Type. */
  boundary: string | null;
  flowed: boolean;
  charset: string;
  /** Whether its bytes are text in the charset that it names. */
  well_chosen_charset: boolean;
  /** Decoded; null when it is no text. */
  text: string | null;
  /** Of the decoded bytes; null for a message inside, which this parser does not keep as it came. */
  sha256: string | null;
}

export interface SecondReading {
  /** How many header fields it has. */
  headers: number;
  subjects: string[] | Raised;
  /** The mailboxes of each field of a name. */
  From: Mailbox[][] | Raised;
  To: Mailbox[][] | Raised;
  Cc: Mailbox[][] | Raised;
  'Reply-To': Mailbox[][] | Raised;
  /** Types of the parts that have parts. */
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

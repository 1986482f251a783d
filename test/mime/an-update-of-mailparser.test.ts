import { MailParser } from 'mailparser';
import { afterEach, describe, expect, it } from 'vitest';
import { parseMessage } from '../../src/mime/parse.js';

/** The limits replace private members, which an update of mailparser may rename. */
// biome-ignore lint/suspicious/noExplicitAny: the members are private
const parser = new MailParser() as any;
const owners: Record<string, object> = {
  '': MailParser.prototype,
  splitter: Object.getPrototypeOf(parser.splitter),
  'splitter.node': Object.getPrototypeOf(parser.splitter.node),
};

describe('a mailparser without a member that limits what it parses', () => {
  let restore = () => {};
  afterEach(() => restore());

  it.each([
    ['', 'processHeaders'],
    ['', 'headerLines'],
    ['splitter', 'checkBoundary'],
    ['splitter', 'nodeCounter'],
    ['splitter', 'config'],
    ['splitter.node', 'addHeaderChunk'],
  ])('parses no message: %s %s', async (owner, member) => {
    const prototype = owners[owner] as object;
    const original = Object.getOwnPropertyDescriptor(prototype, member);
    restore = () => {
      if (original) Object.defineProperty(prototype, member, original);
      else Reflect.deleteProperty(prototype, member);
    };
    // The setter keeps the constructor from creating its own member.
    Object.defineProperty(prototype, member, { get: () => '', set: () => {}, configurable: true });
    await expect(parseMessage(Buffer.from('Subject: Hi\r\n\r\nhi\r\n'))).rejects.toThrow(
      `"${owner && `${owner}.`}${member}"`,
    );
  });
});

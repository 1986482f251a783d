import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { InterruptedError } from '../errors/exit-codes.js';

/**
 * Prompts on stderr. Returns the line that is typed, or undefined when input ends without one, for example with ^D.
 * Hidden input is not echoed.
 * @inquirer/password and read are not used: with both, the process exits after ^D before an error can be reported.
 * @throws InterruptedError on ^C.
 */
export function prompt(question: string, { hidden = false } = {}): Promise<string | undefined> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const input = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  // Written only now, when the terminal no longer echoes input, and this process handles ^D.
  if (hidden) process.stderr.write(question);
  const close = (echoed: boolean) => {
    input.removeAllListeners('close');
    input.close();
    if (!echoed) process.stderr.write('\n');
  };
  return new Promise((resolve, reject) => {
    input.once('SIGINT', () => {
      close(false);
      reject(new InterruptedError());
    });
    input.once('close', () => {
      close(false);
      resolve(undefined);
    });
    input.question(hidden ? '' : question, (line) => {
      close(!hidden);
      resolve(line.trim());
    });
  });
}

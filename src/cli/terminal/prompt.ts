import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { InterruptedError } from '../errors/exit-codes.js';

/**
 * Asks on stderr and returns the line that is typed, or undefined when input ends without one, as by ^D. The answer to a hidden
 * question is not echoed. The prompts of @inquirer/password and read are not used: after ^D neither returns before the process
 * exits, so the error could not be reported.
 * @throws InterruptedError on ^C.
 */
export function prompt(question: string, { hidden = false } = {}): Promise<string | undefined> {
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
  const input = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true });
  // Only now does the terminal show nothing of what is typed, and leave ^D to this process.
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

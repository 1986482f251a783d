import { nextCommand } from '../command/next-command.js';
import type { TargetFlags } from '../flags/target.js';
import type { Target } from '../target/target.js';

/** Returns how to send a first email. A remote server requires more than a recipient, and sends it for real. */
export function sendAdvice(kind: Target['kind'], flags: TargetFlags): string {
  return kind === 'remote'
    ? 'To send one, see: svc emails send --help'
    : `Send one with: ${nextCommand('emails send --to delivered@simulator.test', flags)}`;
}

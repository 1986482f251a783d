import type { CommandSpec } from '../command-spec.js';
import { account } from './account.js';
import { emails } from './emails.js';
import { local, thisMachine } from './local.js';
import { templates } from './templates.js';
import { webhooks } from './webhooks.js';

/** Every command, some of them several times. */
export const specs: readonly CommandSpec[] = [
  ...emails,
  ...templates,
  ...account,
  ...webhooks,
  ...local,
  ...thisMachine,
];

/** The row that stands for each command: its first. */
export const firstSpecs = [...new Map([...specs].reverse().map((spec) => [spec.command, spec])).values()];

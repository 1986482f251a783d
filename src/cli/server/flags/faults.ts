import { Flags } from '@oclif/core';
import { errorCodes } from '../../../contract/vocabulary/errors.js';
import {
  EFFECT_REQUIRED,
  FAULT_NUMBER_MAX,
  type FaultParts,
  faultDrops,
  faultStages,
  incompatibleFaultParts,
  TARGET_REQUIRED,
} from '../../../contract/vocabulary/faults/faults.js';
import { faultPresetNames } from '../../../contract/vocabulary/faults/presets.js';
import { UsageError } from '../../errors/exit-codes.js';
import { fills, flagsFilling } from '../../flags/request-field.js';
import { durationFlag } from '../../flags/values/value-types.js';
import { quoted } from '../../output/text.js';

/** Declares the flags that describe a fault. */

const faultTargetFlags = {
  smtp: fills(
    'smtp',
    Flags.option({
      options: faultStages,
      description: 'Stage of SMTP sessions; end is the end of a message’s content.',
      helpValue: 'STAGE',
    })(),
  ),
  http: fills(
    'http',
    Flags.string({
      description: 'Method and path of requests to the service; {name} is any segment, and * any text.',
      helpValue: 'REQUEST',
    }),
  ),
  webhook: fills(
    'webhook',
    Flags.string({ description: 'URL of webhook requests; * matches any text.', helpValue: 'PATTERN' }),
  ),
};

const effectFlags = {
  code: fills(
    'code',
    Flags.integer({ description: 'Status of the reply or response, 400 to 599; 300 to 599 for webhooks.' }),
  ),
  text: fills(
    'text',
    Flags.string({ description: 'Text of the reply or error, or body of the receiver’s response.', helpValue: 'TEXT' }),
  ),
  error: fills(
    'error',
    Flags.option({ options: errorCodes, description: 'Error code of the response (default: that of the status).' })(),
  ),
  delay: fills('delay', durationFlag({ description: 'Time before the reply, response or attempt, at most 1h.' })),
  drop: fills(
    'drop',
    Flags.option({
      options: faultDrops,
      description: 'Close the connection before processing, or after it in place of the reply.',
    })(),
  ),
  truncate: fills(
    'truncate',
    Flags.boolean({ description: 'Send the first half of the response, and close the connection.' }),
  ),
  'retry-after': fills(
    'retry_after',
    durationFlag({ description: 'Value of Retry-After with status 429 or 503 (default: 1s).' }),
  ),
  greylist: fills(
    'greylist',
    durationFlag({
      description: 'Defer each new client, sender and recipient for this time on the service’s clock.',
    }),
  ),
};

const faultSelectionFlags = {
  times: fills('times', numberFlag('Number of times to inject the fault (default: unlimited).')),
  every: fills('every', numberFlag('Inject the fault into every nth match only.')),
  probability: fills(
    'probability',
    Flags.string({ description: 'Part of the matches, more than 0 and at most 1.', helpValue: 'P' }),
    readProbability,
  ),
  seed: fills(
    'seed',
    Flags.integer({
      description: 'Seed of --probability; the same seed repeats its decisions (default: 0).',
      min: 0,
      max: FAULT_NUMBER_MAX,
    }),
  ),
  'after-messages': fills('after_messages', numberFlag('Number of messages that an SMTP connection may send first.')),
  from: fills(
    'from',
    Flags.string({ description: 'Pattern of the sender; * matches any text.', helpValue: 'PATTERN' }),
  ),
  to: fills('to', Flags.string({ description: 'Pattern of a recipient; * matches any text.', helpValue: 'PATTERN' })),
  match: fills('match', Flags.string({ description: 'Query that the email must match.', helpValue: 'QUERY' })),
};

export const faultFlags = { ...faultTargetFlags, ...effectFlags, ...faultSelectionFlags };

/** Declares the flag for presets, in the commands that start a server. */
export const presetFlag = {
  fault: Flags.option({
    options: faultPresetNames,
    description: 'Preset of faults to add to the server; repeatable.',
    helpValue: 'PRESET',
    multiple: true,
  })(),
};

function numberFlag(description: string) {
  return Flags.integer({ description, min: 1, max: FAULT_NUMBER_MAX });
}

function readProbability(text: string): number {
  const value = Number(text);
  if (text.trim() !== '' && Number.isFinite(value)) return value;
  throw new UsageError(`--probability must be a number, not ${quoted(text)}.`);
}

/** @throws UsageError that names the flags that do not fit together. */
export function checkFaultParts(parts: FaultParts): void {
  const found = incompatibleFaultParts(parts);
  if (found.length === 0) return;
  const [{ message } = { message: '' }] = found.filter(({ path }) => path === '');
  if (message === TARGET_REQUIRED)
    throw new UsageError('Pass exactly one of --smtp, --http and --webhook, or --preset.');
  if (message === EFFECT_REQUIRED && found.length === 1) {
    throw new UsageError('Pass at least one of --code, --error, --delay, --drop, --truncate and --greylist.');
  }
  const texts = found.flatMap(({ path, message: problem }) =>
    path === '' ? [] : [`--${flagsFilling(faultFlags, path)[0]} ${problem}`],
  );
  throw new UsageError(`${texts.join('; ')}.`);
}

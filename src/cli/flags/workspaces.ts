import { Flags } from '@oclif/core';
import { fills } from './request-field.js';
import { durationFlag } from './values/value-types.js';

/** Names the workspace that a command changes. */
export const workspaceFlag = {
  workspace: fills(
    'workspace',
    Flags.string({
      description: 'Workspace that it belongs to (default: that of the key). Takes an admin key.',
      helpValue: 'NAME',
    }),
  ),
};

/** Limits of a workspace, which the server and its plan have, too. */
export const workspaceLimitFlags = {
  keep: fills(
    'keep',
    Flags.integer({ description: 'Number of its emails to keep, the newest (default: that of the server).', min: 1 }),
  ),
  'max-age': fills(
    'max_age',
    durationFlag({ description: 'Age at which its emails are deleted (default: that of the server).' }),
  ),
  'monthly-quota': fills(
    'monthly_quota',
    Flags.integer({
      description: 'Recipients that its emails may be sent to in a month (default: the quota of the plan).',
      min: 0,
    }),
  ),
};

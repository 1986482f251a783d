import { Flags } from '@oclif/core';

/** Declares the flags of the SMTP server that captured emails are released to. */
export const relayFlags = {
  relay: Flags.string({
    description:
      'SMTP server for "svc emails release": smtp://[USER@]HOST[:PORT] (with STARTTLS), smtps://… or a name in ' +
      'relays.json. Default: SVC_RELAY.',
    helpValue: 'URL|NAME',
    env: 'SVC_RELAY',
  }),
  'relay-password-file': Flags.string({
    description: 'File with the password of the relay’s user (default: SVC_RELAY_PASSWORD).',
    helpValue: 'FILE',
    dependsOn: ['relay'],
  }),
  'relay-allow': Flags.string({
    description: 'Pattern of recipients that emails may be released to, such as "*@corp.test"; repeatable.',
    helpValue: 'PATTERN',
    multiple: true,
  }),
  'auto-release': Flags.string({
    description: 'Pattern of recipients whose emails are released automatically; repeatable.',
    helpValue: 'PATTERN',
    multiple: true,
  }),
};

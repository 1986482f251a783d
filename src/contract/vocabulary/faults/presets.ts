/** Defines named sets of faults. Separate from the schemas, so that commands start without zod. */

/** A fault of a preset, in the form of a request of the control API. */
interface PresetFault {
  smtp?: 'connect' | 'mail' | 'rcpt' | 'end';
  http?: string;
  webhook?: string;
  code?: number;
  text?: string;
  error?: 'upstream_error';
  delay?: string;
  retry_after?: string;
  greylist?: string;
  every?: number;
  after_messages?: number;
}

export const faultPresets = {
  'provider-outage': {
    description: 'SMTP refuses connections with 421, and the REST API fails with 503 and upstream_error.',
    faults: [
      { smtp: 'connect', code: 421, text: 'Service not available, try again later' },
      { http: '* /v1/*', code: 503, error: 'upstream_error', retry_after: '1s' },
    ],
  },
  'rate-limited': {
    description: 'REST refuses every second email with 429, and SMTP ends a connection with 421 after 10 messages.',
    faults: [
      { http: 'POST /v1/emails', code: 429, every: 2, retry_after: '1s' },
      { smtp: 'mail', code: 421, text: '4.7.0 Too many messages in this connection', after_messages: 10 },
    ],
  },
  'slow-network': {
    description: 'SMTP greets after 1s and replies to messages after 2s; REST and webhooks take 2s longer.',
    faults: [
      { smtp: 'connect', delay: '1s' },
      { smtp: 'end', delay: '2s' },
      { http: '* /v1/*', delay: '2s' },
      { webhook: '*', delay: '2s' },
    ],
  },
  greylist: {
    description: 'SMTP defers the first try of each client, sender and recipient with 451 for 5 minutes.',
    faults: [{ smtp: 'rcpt', greylist: '5m' }],
  },
} as const satisfies Record<string, { description: string; faults: readonly PresetFault[] }>;

export type FaultPreset = keyof typeof faultPresets;
export const faultPresetNames = Object.keys(faultPresets) as FaultPreset[];

/** Returns the faults of a preset as requests of the control API, the one of the highest precedence last. */
export function faultsOfPreset(preset: FaultPreset): (PresetFault & { preset: FaultPreset })[] {
  return faultPresets[preset].faults.map((fault) => ({ ...fault, preset }));
}

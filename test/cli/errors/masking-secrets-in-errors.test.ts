import { describe, expect, it } from 'vitest';
import { reportError } from '../../../src/cli/errors/error-report.js';
import { CommandError } from '../../../src/cli/errors/exit-codes.js';

describe('an error of a command', () => {
  it.each([
    ['an API key', 'svc_live_0123456789abcdef', 'svc_live_…'],
    ['a webhook secret', 'whsec_0123456789abcdef', 'whsec_…'],
    ['a percent-encoded API key', '%73vc_live%5F0123456789abcdef', 'svc_live_…'],
    ['an API key in capitals', 'SVC_LIVE_0123456789ABCDEF', 'SVC_LIVE_…'],
    ['an API key directly after other letters', 'xsvc_test_0123456789abcdef', 'xsvc_test_…'],
  ])('hides %s', (_, secret, masked) => {
    const { message, hint } = reportError(new CommandError(`Cannot use ${secret}.`, `Check ${secret}.`));

    expect({ message, hint }).toEqual({ message: `Cannot use ${masked}.`, hint: `Check ${masked}.` });
  });
});

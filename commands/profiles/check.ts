import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { exitCodes, UsageError } from '../../src/cli/errors/exit-codes.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';
import { LOCAL_PROFILE } from '../../src/cli/target/profiles.js';
import type { Client } from '../../src/client/client.js';
import type { Difference } from '../../src/client/differences.js';
import { ApiFailure, UnreachableError } from '../../src/client/failures.js';
import type { Exchange } from '../../src/client/retry.js';
import type { OperationName } from '../../src/contract/service/endpoints.js';
import { routes } from '../../src/contract/vocabulary/routes.js';

const COLUMNS: Column[] = [
  { title: 'ENDPOINT', rank: 1 },
  { title: 'FIELD', rank: 2 },
  { title: 'FOUND', rank: 3, least: 20 },
  { title: 'SPECIFICATION', rank: 4 },
];
/** An ID that no email has. */
const NO_EMAIL = 'msg_00000000000000000000000000';

export default class ProfilesCheck extends ClientCommand {
  static override summary = 'Compare a service’s answers with the specification';

  static override description =
    'Sends reads only, one for each endpoint that reads, and one for an email that does not exist. Prints each difference ' +
    'of an answer. "differs" contradicts the specification; "not shown" is a part that the specification leaves open, ' +
    'and where this service decided otherwise than svc dev does. Exits with 3 if an answer differs. Names of fields are ' +
    'printed, and the values that differ.';

  static override exitCodes = { 3: 'An answer differs from the specification.' };

  static override examples = [
    '<%= config.bin %> profiles check production',
    {
      description: 'Save the result for the service’s support',
      command: '<%= config.bin %> profiles check production --json > differences.json',
    },
  ];

  static override args = { name: Args.string({ description: 'Name of the profile.', required: true }) };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesCheck);
    if (args.name === LOCAL_PROFILE) throw new UsageError('The profile "local" is svc itself, which needs no check.');
    const { differencesOf, refusalDifferencesOf } = await import('../../src/client/differences.js');
    const received: Exchange[] = [];
    const onAnswer = (answer: Exchange) => {
      received.push(answer);
    };
    const use = async (client: Client) => {
      const differences: Difference[] = [];
      const checked: { endpoint: string; status: number }[] = [];
      const read = async <T>(operation: OperationName, call: () => Promise<T>): Promise<T | undefined> => {
        received.length = 0;
        const endpoint = `${routes[operation].method} ${routes[operation].path}`;
        const result = await call().catch((error: Error) => {
          if (error instanceof ApiFailure && isNoAnswer(error)) throw error;
          if (received.length === 0 && !(error instanceof UnreachableError && error.answered)) throw error;
          const [refusal] = received;
          const status = refusal === undefined ? '' : `${refusal.status}: `;
          differences.push({ endpoint, field: 'answer', found: status + error.message, specified: true });
          return undefined;
        });
        const last = received.at(-1);
        if (!last) return result;
        checked.push({ endpoint, status: last.status });
        if (result !== undefined) differences.push(...differencesOf(operation, last));
        return result;
      };
      const emails = await read('emails.list', () => client.call('emails.list', { query: { limit: 5 } }));
      const templates = await read('templates.list', () => client.call('templates.list', { query: { limit: 5 } }));
      const domains = await read('domains.list', () => client.call('domains.list', {}));
      await read('api-keys.list', () => client.call('api-keys.list', {}));
      await read('webhooks.list', () => client.call('webhooks.list', {}));
      await read('analytics.emails', () => client.call('analytics.emails', {}));
      const email = emails?.emails[0]?.id;
      const template = templates?.templates[0]?.id;
      const domain = domains?.domains[0]?.domain;
      if (email) await read('emails.get', () => client.call('emails.get', { params: { id: email } }));
      if (template) await read('templates.get', () => client.call('templates.get', { params: { id: template } }));
      if (domain) await read('domains.get', () => client.call('domains.get', { params: { domain } }));
      received.length = 0;
      await client.call('emails.get', { params: { id: NO_EMAIL } }).catch((error: unknown) => {
        if (!(error instanceof ApiFailure) || isNoAnswer(error)) throw error;
      });
      const [refusal] = received;
      if (refusal) differences.push(...refusalDifferencesOf('GET /emails/{id} of no email', refusal));
      this.print({ profile: args.name, base_url: client.baseUrl, checked, differences }, () =>
        differences.length === 0 ? '' : table(COLUMNS, differences.map(rowOf), stdoutView()),
      );
      if (differences.length === 0) this.info(`No differences in ${checked.length} endpoints.`);
      if (differences.some(({ specified }) => specified)) process.exitCode = exitCodes.assertionFailed;
    };
    await this.withClient({ ...flags, profile: args.name }, use, { onAnswer });
  }
}

/** Returns whether a failure says nothing about the form of answers: a wrong key, a rate limit, or a broken server. */
const isNoAnswer = ({ status }: ApiFailure) => status === 401 || status === 429 || status >= 500;

const rowOf = ({ endpoint, field, found, specified }: Difference) => [
  endpoint,
  field,
  found,
  specified ? 'differs' : 'not shown',
];

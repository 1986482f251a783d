import { Args } from '@oclif/core';
import { ClientCommand } from '../../src/cli/command/client-command.js';
import { exitCodes, UsageError } from '../../src/cli/errors/exit-codes.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';
import { LOCAL_PROFILE } from '../../src/cli/target/profiles.js';
import type { Client } from '../../src/client/client.js';
import type { Difference } from '../../src/client/differences.js';
import type { Exchange } from '../../src/client/retry.js';

const COLUMNS: Column[] = [
  { title: 'ENDPOINT', rank: 1 },
  { title: 'FIELD', rank: 2 },
  { title: 'FOUND', rank: 3, least: 20 },
  { title: 'SPECIFICATION', rank: 4 },
];

export default class ProfilesCheck extends ClientCommand {
  static override summary = 'Compare a service’s answers with the specification';

  static override description =
    'Sends reads only, and prints each difference of an answer, with names of fields and the values that differ. ' +
    '"differs" contradicts the specification; "not shown" is a part that the specification leaves open, and ' +
    'where this service decided otherwise than svc dev does. Exits with 3 if an answer differs.';

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
    const { checkService } = await import('../../src/client/check-service.js');
    const received: Exchange[] = [];
    const onAnswer = (answer: Exchange) => {
      received.push(answer);
    };
    const use = async (client: Client) => {
      const { checked, differences } = await checkService(client, received);
      this.print({ profile: args.name, base_url: client.baseUrl, checked, differences }, () =>
        differences.length === 0 ? '' : table(COLUMNS, differences.map(rowOf), stdoutView()),
      );
      if (differences.length === 0) this.info(`No differences in ${checked.length} endpoints.`);
      if (differences.some(({ specified }) => specified)) process.exitCode = exitCodes.assertionFailed;
    };
    await this.withClient({ ...flags, profile: args.name }, use, { onAnswer });
  }
}

const rowOf = ({ endpoint, field, found, specified }: Difference) => [
  endpoint,
  field,
  found,
  specified ? 'differs' : 'not shown',
];

import { ClientCommand } from '../src/cli/command/client-command.js';
import { exitCodeOf, exitCodes } from '../src/cli/errors/exit-codes.js';
import { fieldLines } from '../src/cli/output/fields.js';
import { maskKey } from '../src/cli/target/profiles.js';
import { chooseTarget, openChoice } from '../src/cli/target/target.js';
import { type ApiFailure, UnreachableError } from '../src/client/failures.js';

export default class Whoami extends ClientCommand {
  static override summary = 'Show the server and API key that commands use';

  static override description =
    'Also shows why they were chosen, and whether the key works. Exits with 4 if the key is rejected, and with 5 if the ' +
    'server is unreachable.';

  static override examples = ['<%= config.bin %> whoami', '<%= config.bin %> whoami --profile production'];

  async run(): Promise<void> {
    const { flags } = await this.parse(Whoami);
    const choice = await chooseTarget(flags, process.env, process.cwd());
    for (const warning of choice.warnings ?? []) this.printWarning(warning);
    if (choice.notice !== undefined) this.info(choice.notice);
    if (choice.kind === 'embedded' && choice.conflict) throw choice.conflict;
    const target = await openChoice(choice, flags, process.env);
    let refusal: ApiFailure | UnreachableError | undefined;
    try {
      // Any request checks the key; this one has a small response.
      await target.client.call('emails.list', { query: { limit: 1 } });
    } catch (error) {
      if (!(error instanceof UnreachableError || exitCodeOf(error) === exitCodes.notPermitted)) throw error;
      refusal = error as ApiFailure | UnreachableError;
    } finally {
      await target.finish();
    }
    const base_url = choice.kind === 'embedded' ? null : choice.baseUrl;
    const api_key = choice.apiKey === undefined ? null : maskKey(choice.apiKey);
    const key_works = refusal instanceof UnreachableError ? null : refusal === undefined;
    const answer = { kind: choice.kind, base_url, why: choice.why, api_key, key_works };
    const address = base_url ?? `in this process, on ${choice.kind === 'embedded' ? choice.dataDir : ''}`;
    const works = key_works === null ? 'unknown' : key_works ? 'yes' : 'no';
    this.print(answer, () => fieldLines({ server: address, because: choice.why, key: api_key, works }));
    if (refusal) throw refusal;
  }
}

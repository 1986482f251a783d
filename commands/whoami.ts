import { ClientCommand } from '../src/cli/client-command.js';
import { fieldLines } from '../src/cli/fields.js';
import { maskKey } from '../src/cli/profiles.js';
import { chooseTarget, openChoice } from '../src/cli/target.js';

export default class Whoami extends ClientCommand {
  static override summary = 'Say which server commands talk to, why, and whether the key works';

  static override examples = ['<%= config.bin %> whoami', '<%= config.bin %> whoami --profile production'];

  async run(): Promise<void> {
    const { flags } = await this.parse(Whoami);
    const choice = await chooseTarget(flags, process.env, process.cwd());
    const target = await openChoice(choice, flags, process.env);
    try {
      // Any call tells whether the key is good; this one is small.
      await target.client.call('emails.list', { query: { limit: 1 } });
    } finally {
      await target.finish();
    }
    const base_url = choice.kind === 'embedded' ? null : choice.baseUrl;
    const api_key = choice.apiKey === undefined ? null : maskKey(choice.apiKey);
    const answer = { kind: choice.kind, base_url, why: choice.why, api_key, key_works: true };
    const address = base_url ?? `in this process, on ${choice.kind === 'embedded' ? choice.dataDir : ''}`;
    this.print(answer, () => fieldLines({ target: address, because: choice.why, key: api_key, works: 'yes' }));
  }
}

import { BaseCommand } from '../../src/cli/command/base-command.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';
import { LOCAL_PROFILE, maskKey, readProfiles } from '../../src/cli/target/profiles.js';

const COLUMNS: Column[] = [
  { title: '', rank: 2 },
  { title: 'NAME', rank: 1 },
  { title: 'KEY', rank: 4 },
  { title: 'ADDRESS', rank: 3 },
];

export default class ProfilesList extends BaseCommand {
  static override summary = 'List profiles';

  static override description = 'An asterisk (*) marks the current profile.';

  static override examples = ['<%= config.bin %> profiles list'];

  async run(): Promise<void> {
    await this.parse(ProfilesList);
    const { current, profiles } = readProfiles(process.env);
    const named = Object.entries(profiles).map(([name, { base_url, api_key }]) => ({
      name,
      base_url,
      api_key: maskKey(api_key),
    }));
    const all = [{ name: LOCAL_PROFILE, base_url: null, api_key: null }, ...named].map((profile) => ({
      ...profile,
      current: profile.name === current,
    }));
    this.print({ profiles: all }, () =>
      table(
        COLUMNS,
        all.map(({ name, base_url, api_key, current: used }) => [
          used ? '*' : ' ',
          name,
          api_key ?? '',
          base_url ?? 'the local server',
        ]),
        stdoutView(),
      ),
    );
  }
}

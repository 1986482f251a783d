import { Args } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { fieldLines } from '../../src/cli/output/fields.js';
import { currentProfile, findProfile, maskKey, readProfiles } from '../../src/cli/target/profiles.js';

export default class ProfilesShow extends BaseCommand {
  static override summary = 'Show a profile';

  static override description = 'Only the ends of the API key are shown.';

  static override examples = ['<%= config.bin %> profiles show production'];

  static override args = { name: Args.string({ description: 'Name of the profile (default: the current one).' }) };

  async run(): Promise<void> {
    const { args } = await this.parse(ProfilesShow);
    const file = readProfiles(process.env);
    const name = args.name ?? file.current;
    const profile = args.name === undefined ? currentProfile(file, process.env) : findProfile(file, name);
    const shown = {
      name,
      base_url: profile?.base_url ?? null,
      api_key: profile ? maskKey(profile.api_key) : null,
      current: name === file.current,
    };
    this.print(shown, () =>
      fieldLines({
        name,
        address: shown.base_url ?? 'the local server',
        key: shown.api_key,
        current: shown.current ? 'yes' : 'no',
      }),
    );
  }
}

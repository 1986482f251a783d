import { Args } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { findProfile, LOCAL_PROFILE, readProfiles, writeProfiles } from '../../src/cli/target/profiles.js';

export default class ProfilesRemove extends BaseCommand {
  static override summary = 'Remove a profile and its API key';

  static override examples = ['<%= config.bin %> profiles remove production'];

  static override args = { name: Args.string({ description: 'Name of the profile.', required: true }) };

  async run(): Promise<void> {
    const { args } = await this.parse(ProfilesRemove);
    const { name } = args;
    const { current, profiles } = readProfiles(process.env);
    if (!findProfile({ current, profiles }, name)) throw new UsageError('The profile "local" cannot be removed.');
    const { [name]: _removed, ...kept } = profiles;
    writeProfiles(process.env, { current: current === name ? LOCAL_PROFILE : current, profiles: kept });
    this.print({ name, removed: true }, () => `${name}  removed\n`);
    if (current === name) this.info('The local server is now the current profile.');
  }
}

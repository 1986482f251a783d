import { Args } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { deleteIfExists } from '../../src/cli/command/delete-if-exists.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { ifExistsFlag } from '../../src/cli/flags/shared.js';
import { findProfile, LOCAL_PROFILE, readProfiles, writeProfiles } from '../../src/cli/target/profiles.js';

export default class ProfilesRemove extends BaseCommand {
  static override summary = 'Remove a profile and its API key';

  static override examples = ['<%= config.bin %> profiles remove production'];

  static override args = { name: Args.string({ description: 'Name of the profile.', required: true }) };

  static override flags = { ...ifExistsFlag };

  async run(): Promise<void> {
    const { args, flags } = await this.parse(ProfilesRemove);
    const { name } = args;
    const { current, profiles } = readProfiles(process.env);
    const removed = await deleteIfExists(flags, async () => {
      if (!findProfile({ current, profiles }, name)) throw new UsageError('The profile "local" cannot be removed.');
    });
    if (!removed) return this.print({ name, removed }, () => `${name}  not found\n`);
    const { [name]: _removed, ...kept } = profiles;
    writeProfiles(process.env, { current: current === name ? LOCAL_PROFILE : current, profiles: kept });
    this.print({ name, removed }, () => `${name}  removed\n`);
    if (current === name) this.info('The local server is now the current profile.');
  }
}

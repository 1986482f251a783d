import { Args } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { findProfile, readProfiles, writeProfiles } from '../../src/cli/target/profiles.js';

export default class ProfilesUse extends BaseCommand {
  static override summary = 'Set the current profile';

  static override description = 'The profile "local" stands for the local server.';

  static override examples = ['<%= config.bin %> profiles use production', '<%= config.bin %> profiles use local'];

  static override args = { name: Args.string({ description: 'Name of the profile, or local.', required: true }) };

  async run(): Promise<void> {
    const { args } = await this.parse(ProfilesUse);
    const file = readProfiles(process.env);
    const profile = findProfile(file, args.name);
    writeProfiles(process.env, { ...file, current: args.name });
    this.print({ name: args.name, base_url: profile?.base_url ?? null }, () => `${args.name}\n`);
  }
}

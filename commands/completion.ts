import { Args } from '@oclif/core';
import { BaseCommand } from '../src/cli/base-command.js';
import bash from '../src/cli/completion/svc.bash';
import fish from '../src/cli/completion/svc.fish';
import zsh from '../src/cli/completion/svc.zsh';

const scripts: Record<string, string> = { bash, zsh, fish };

export default class Completion extends BaseCommand {
  static override summary = 'Print a script that completes svc’s commands, flags, ids and names in a shell';

  static override description =
    `Put the line for your shell into its start-up file: ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish. Ids and names are
those of the server that the command line means; nothing is offered when they cannot be had at once.`;

  static override examples = [
    { description: 'bash, in ~/.bashrc', command: 'eval "$(<%= config.bin %> completion bash)"' },
    { description: 'zsh, in ~/.zshrc', command: 'eval "$(<%= config.bin %> completion zsh)"' },
    { description: 'fish, in ~/.config/fish/config.fish', command: '<%= config.bin %> completion fish | source' },
  ];

  static override args = {
    shell: Args.string({ description: 'Which shell.', required: true, options: Object.keys(scripts) }),
  };

  async run(): Promise<void> {
    const { shell } = (await this.parse(Completion)).args;
    const script = scripts[shell] ?? '';
    this.print({ shell, script }, () => script);
  }
}

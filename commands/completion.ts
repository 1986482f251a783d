import { Args } from '@oclif/core';
import { BaseCommand } from '../src/cli/command/base-command.js';
import bash from '../src/cli/completion/svc.bash';
import fish from '../src/cli/completion/svc.fish';
import zsh from '../src/cli/completion/svc.zsh';

const scripts: Record<string, string> = { bash, zsh, fish };

export default class Completion extends BaseCommand {
  static override summary = 'Print a shell completion script';

  static override description =
    'Completes commands, flags, IDs and names. Add the line for your shell to its startup file: ~/.bashrc, ~/.zshrc or ' +
    '~/.config/fish/config.fish. IDs and names come from the server that the command line selects; none are offered if ' +
    'that server does not respond at once.';

  static override examples = [
    { description: 'Set up bash, in ~/.bashrc', command: 'eval "$(<%= config.bin %> completion bash)"' },
    { description: 'Set up zsh, in ~/.zshrc', command: 'eval "$(<%= config.bin %> completion zsh)"' },
    {
      description: 'Set up fish, in ~/.config/fish/config.fish',
      command: '<%= config.bin %> completion fish | source',
    },
  ];

  static override args = {
    shell: Args.string({ description: 'Shell to complete in.', required: true, options: Object.keys(scripts) }),
  };

  async run(): Promise<void> {
    const { shell } = (await this.parse(Completion)).args;
    const script = scripts[shell] ?? '';
    this.print({ shell, script }, () => script);
  }
}

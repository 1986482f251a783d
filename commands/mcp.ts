import { ClientCommand } from '../src/cli/command/client-command.js';
import { requireControl } from '../src/cli/command/control-command.js';
import { keyFor, namedServer } from '../src/cli/target/target.js';

export default class Mcp extends ClientCommand {
  static override summary = 'Run an MCP server for coding agents';

  static override description =
    'Speaks the Model Context Protocol on stdin and stdout, for a coding agent that starts this command: ' +
    'docs/agents.md has the configuration. Its tools send, find, wait for, read and check emails, extract links ' +
    'and codes, simulate outcomes, advance the clock, replay webhooks and render templates. Each call looks for ' +
    'the local server again, so the server may start later or restart.';

  static override examples = [
    {
      description: 'Print the tools as a client receives them',
      command: `echo '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' | <%= config.bin %> mcp`,
    },
  ];

  async run(): Promise<void> {
    const { flags } = await this.parse(Mcp);
    // Reports a wrong address or an unknown profile now. Whether the server responds, each call finds out.
    keyFor(flags, process.env, namedServer(flags, process.env));
    const { serveMcp } = await import('../src/cli/mcp/server.js');
    await serveMcp({
      flags,
      log: (text) => this.status(text),
      connect: (use) =>
        this.withClient(
          flags,
          async (client, target) => {
            await requireControl(target);
            return use(client, target);
          },
          { running: true, anyShell: true },
        ),
    });
  }
}

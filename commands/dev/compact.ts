import { Flags } from '@oclif/core';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { fills, requestFields } from '../../src/cli/flags/request-field.js';
import { byteSize } from '../../src/cli/output/numbers.js';
import { openProgress } from '../../src/cli/terminal/progress.js';

/** Number of bytes that one request returns, which takes a fraction of a second. */
const STEP_BYTES = 32 * 1024 ** 2;

export default class DevCompact extends ControlCommand {
  static override summary = 'Compact the local server’s database';

  static override description =
    'Returns the unused space that deleted emails leave in the database to the disk, and prints the size before ' +
    'and after. A running server keeps answering meanwhile. Without one, or with --full, the whole database is ' +
    'rewritten, which gives the smallest file and needs free space of twice its size.';

  static override examples = [
    '<%= config.bin %> dev compact',
    { description: 'Print the sizes in bytes', command: '<%= config.bin %> dev compact --json' },
  ];

  static override flags = {
    full: fills(
      'full',
      Flags.boolean({ description: 'Rewrite the whole database. Other requests to the server wait meanwhile.' }),
    ),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevCompact);
    const { full } = await requestFields(DevCompact.flags, flags);
    await this.withClient(flags, async (client, target) => {
      const progress = openProgress('Compacting', { json: flags.json, amount: byteSize });
      // Without a server, no other request could wait.
      const whole = full || target.kind === 'embedded';
      const body = whole ? { full: true } : { max_bytes: STEP_BYTES };
      try {
        let result = await client.control('compact', { body });
        const { size_before } = result;
        const target = size_before - result.size + result.free;
        while (!whole && result.free > 0) {
          progress.at(size_before - result.size, target);
          const { size } = result;
          result = await client.control('compact', { body });
          if (result.size >= size) break;
        }
        progress.clear();
        this.print({ size_before, size: result.size }, () => `${byteSize(size_before)} → ${byteSize(result.size)}\n`);
      } finally {
        progress.clear();
      }
    });
  }
}

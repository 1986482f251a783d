import { Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { svcCommand } from '../../src/cli/data-dir/svc-command.js';
import { CommandError } from '../../src/cli/errors/exit-codes.js';
import { dataDirFlag } from '../../src/cli/flags/data-dir.js';
import { findCa, trustInstructions } from '../../src/cli/server/tls/trust-instructions.js';

export default class DevCa extends BaseCommand {
  static override summary = 'Print the certificate of the local CA';

  static override description =
    'Prints the certificate in PEM, which clients of SMTP with TLS need to trust. A server creates the CA in the ' +
    'data directory when it first starts with --starttls or --smtp-tls-port; one with --in-memory has a CA of ' +
    'its own. --instructions prints how to trust it in Node.js, Python, PHP, Go, Rust, Java, Ruby, .NET, curl and mail ' +
    'clients.';

  static override exitCodes = { 1: 'No CA was found, or the server has a certificate of --tls-cert.' };

  static override examples = [
    { description: 'Save the certificate', command: '<%= config.bin %> dev ca > ca.pem' },
    { description: 'Show how clients trust it', command: '<%= config.bin %> dev ca --instructions' },
  ];

  static override flags = {
    instructions: Flags.boolean({ description: 'Print how clients trust the CA, instead of its certificate.' }),
    ...dataDirFlag,
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevCa);
    const dataDir = this.takeDataDir(flags);
    const found = await findCa(dataDir);
    if (!found) {
      throw new CommandError(
        'No local CA found.',
        `Start a server with "${svcCommand('dev', dataDir)} --starttls", which creates one.`,
      );
    }
    const { fingerprintOf, endOf } = await import('../../src/cli/server/tls/own-certificate.js');
    const { pem, file } = found;
    const facts = { pem, file, sha256: fingerprintOf(pem), not_after: endOf(pem) };
    const print = svcCommand('dev ca', dataDir);
    if (flags.instructions) this.print(facts, () => trustInstructions({ ...facts, print }));
    else this.printContent(facts, pem);
  }
}

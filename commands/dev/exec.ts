import { Flags } from '@oclif/core';
import { BaseCommand } from '../../src/cli/command/base-command.js';
import { UsageError } from '../../src/cli/errors/exit-codes.js';
import { dataDirFlag } from '../../src/cli/flags/data-dir.js';
import { reportFileFlag, reportFlags } from '../../src/cli/flags/report.js';
import { withExecServer } from '../../src/cli/server/exec/exec-server.js';
import { execFlags, seedFlag, withSummaryDefault } from '../../src/cli/server/exec/flags.js';
import { prepareExec } from '../../src/cli/server/exec/prepare-exec.js';
import { runExec } from '../../src/cli/server/exec/run-exec.js';
import { presetFlag } from '../../src/cli/server/flags/faults.js';
import { readServerFlags, serverFlags } from '../../src/cli/server/flags/server.js';
import { readSmtpFlags, smtpFlags, withTlsDefaults } from '../../src/cli/server/flags/smtp.js';

export default class DevExec extends BaseCommand {
  static override summary = 'Run a command with a local server in its environment';

  static override description =
    'Sets SVC_INBOX_URL, SVC_BASE_URL, SVC_API_KEY, SVC_SMTP_HOST, SVC_SMTP_PORT, SVC_WEBHOOK_SECRET, ' +
    'SVC_DATA_DIR and SVC_SINCE for the command; with TLS also SVC_SMTP_TLS_PORT and SVC_CA_FILE. Uses the ' +
    'running local server; if none is running, starts one in memory on free ports until the command ends, to ' +
    'which the flags of svc dev apply. Forwards signals, waits up to 10 seconds for what the command caused, ' +
    'such as webhook requests, and ends with its exit code.';

  static override usage =
    'dev exec [--fresh] [--seed DIR] [--artifacts DIR] [--summary [FILE]] [--report] [flags] -- COMMAND...';

  static override exitCodes = {
    1: 'COMMAND succeeded, and a file could not be written; or COMMAND failed with 1.',
    3: 'With --fail-on-warning: COMMAND succeeded, and its requests caused a warning.',
    126: 'COMMAND is not executable.',
    127: 'COMMAND was not found.',
  };

  static override examples = [
    { description: 'Run tests against a fresh server', command: '<%= config.bin %> dev exec --fresh -- npm test' },
    {
      description: 'Run a large test suite without the limit of 1,200 requests per minute',
      command: '<%= config.bin %> dev exec --fresh --plan none -- npm test',
    },
    {
      description: 'Fail if the tests send a request that the service may refuse',
      command: '<%= config.bin %> dev exec --fresh --report --fail-on-warning -- npm test',
    },
    {
      description: 'Save every email, event and request of tests that fail, and print a summary',
      command: '<%= config.bin %> dev exec --fresh --artifacts svc-artifacts --summary -- npm test',
    },
    {
      description: 'Run tests while the service is down',
      command: '<%= config.bin %> dev exec --fresh --fault provider-outage -- npm test',
    },
    {
      description: 'Print the address that the command receives',
      command: `<%= config.bin %> dev exec -- sh -c 'echo "$SVC_BASE_URL"'`,
    },
  ];

  static override strict = false;

  static override flags = {
    ...dataDirFlag,
    fresh: Flags.boolean({ description: 'Start a new server in memory, even if one is running.' }),
    ...serverFlags,
    ...smtpFlags,
    ...seedFlag,
    ...presetFlag,
    report: Flags.boolean({ description: 'Print the warnings of svc dev report on stderr when the command ends.' }),
    ...reportFlags,
    'report-junit': reportFileFlag(),
    ...execFlags,
  };

  async run(): Promise<void> {
    const separator = this.argv.indexOf('--');
    const [command, ...args] = separator === -1 ? [] : this.argv.slice(separator + 1);
    if (!command) {
      throw new UsageError(
        'Missing required argument COMMAND.',
        'Put it after --, for example: svc dev exec -- npm test',
      );
    }
    const { flags, argv, metadata } = await this.parse(DevExec, withSummaryDefault(withTlsDefaults(this.argv)));
    if (argv.length > args.length + 1) {
      throw new UsageError(
        `Unexpected argument before --: ${JSON.stringify(argv[0])}.`,
        'Put the whole command after --.',
      );
    }
    const { domains = [], ...behaviour } = readServerFlags(flags);
    if (flags['keep-if'] !== undefined) {
      await (await import('../../src/cli/server/flags/keep-if.js')).checkKeepIf(behaviour.retention);
    }
    const { seed, artifacts } = await prepareExec(flags);
    // A new server needs no data directory.
    const dataDir = flags.fresh ? undefined : this.takeDataDir(flags);
    const ownServerFlags = Object.keys({ ...serverFlags, ...smtpFlags, ...seedFlag, ...presetFlag });
    const serverFlag = ownServerFlags.find((name) => name in flags && !metadata.flags[name]?.setFromDefault);
    const smtp = await readSmtpFlags(flags);
    const options = { serverFlag, ...behaviour, smtp, domains: [...domains, ...(seed?.domains ?? [])] };
    await withExecServer(dataDir, options, async (server) => {
      const variables: Record<string, string> = flags['trust-data-dir'] ? { SVC_TRUST_DATA_DIR: '1' } : {};
      const exec = { ...flags, command, args, variables, seed: seed?.contents, presets: flags.fault ?? [], artifacts };
      const code = await runExec(server, exec, {
        status: (text) => this.status(text),
        printWarning: (text) => this.printWarning(text),
        report: (error) => this.report(error),
      });
      if (code !== undefined) process.exitCode = code;
    });
  }
}

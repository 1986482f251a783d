import { BaseCommand } from '../src/cli/command/base-command.js';
import { unreviewedWarning } from '../src/cli/data-dir/database-check.js';
import { systemNow } from '../src/cli/output/local-time.js';
import { openFileLimit } from '../src/cli/process/child-process.js';
import { untilSignal } from '../src/cli/process/signals.js';
import { finishStdout } from '../src/cli/process/write-stdout.js';
import { fewFilesWarning } from '../src/cli/server/connection-limits.js';
import { withTlsDefaults } from '../src/cli/server/flags/smtp.js';
import { type LocalServer, startLocalServer } from '../src/cli/server/local-server.js';
import { readRelay } from '../src/cli/server/relay/read-relay.js';
import { readCertificate, readTeamServerFlags, teamServerFlags } from '../src/cli/server/team/flags.js';
import { TeamLog } from '../src/cli/server/team/team-log.js';
import {
  describeTeamServer,
  teamFacts,
  watchCertificate,
  webhookSecretOf,
} from '../src/cli/server/team/team-server.js';
import type { KeyAndCert } from '../src/cli/server/tls/certificates.js';
import { describeMigration } from '../src/cli/target/embedded.js';
import { version } from '../src/version.js';

export default class Serve extends BaseCommand {
  static override summary = 'Run a server for a team (PostgreSQL, API keys, TLS)';

  static override description =
    'Runs the service of svc dev for many people and CI jobs, each with an API key; the key in SVC_API_KEY is an ' +
    'admin key. With --database, several servers share one PostgreSQL database; without it, one server uses the ' +
    'SQLite database of the data directory. Prints its addresses on stdout, and its log on stderr, one JSON ' +
    'object a line.';

  static override exitCodes = { 0: 'Stopped by a signal.' };

  static override examples = [
    {
      description: 'Start a server on a PostgreSQL database, with an API key and a URL from the environment',
      command: '<%= config.bin %> serve --host 0.0.0.0 --allow-host mail.example.com',
    },
    {
      description: 'Start a server with HTTPS, and SMTP with STARTTLS',
      command: '<%= config.bin %> serve --tls-cert cert.pem --tls-key key.pem',
    },
    {
      description: 'Start a server behind a proxy that adds TLS',
      command: '<%= config.bin %> serve --external-url https://mail.example.com --trusted-proxy 10.0.0.0/8',
    },
  ];

  static override flags = teamServerFlags;

  async run(): Promise<void> {
    const { flags } = await this.parse(Serve, withTlsDefaults(this.argv));
    const { options, apiKey, database, drain } = await readTeamServerFlags(flags);
    if (flags['keep-if'] !== undefined) {
      await (await import('../src/cli/server/flags/keep-if.js')).checkKeepIf(options.retention);
    }
    const relay = await readRelay(flags);
    const log = new TeamLog(flags['log-level']);
    // Registered before the server starts, so that an early signal does not leave a half-started server.
    const stop = untilSignal();
    const place = database === undefined ? { inMemory: false as const, dataDir: this.takeDataDir(flags) } : undefined;
    const server = await startLocalServer({
      ...options,
      ...(relay && { relay }),
      ...(place ?? {
        inMemory: false,
        dataDir: null,
        database: database ?? '',
        webhookSecret: webhookSecretOf(apiKey),
      }),
      access: 'team',
      registered: true,
      onMigration: (step) => log.info(describeMigration(step) ?? 'migrating the database'),
      onInternalError: log.internalError,
      onNotice: log.notice,
      onRequest: log.request,
      onAttempt: log.attempt,
      onSmtpSession: log.smtpSession,
    });
    const unwatch = this.#watch(flags, server, log);
    server.app.onWarning(log.warning);
    const facts = teamFacts(server);
    const warnings = [
      unreviewedWarning(server.app.unreviewedRows, server.address.data_dir),
      fewFilesWarning(openFileLimit()),
    ];
    for (const warning of warnings) if (warning !== undefined) log.notice(warning);
    if (options.smtp.certificate) await this.#warnOfEnd(flags, options.smtp.certificate, log);
    const { base_url, http, smtp } = facts;
    const storage = database === undefined ? 'sqlite' : 'postgres';
    log.info('started', { version, base_url, http, smtp, storage, instance: server.app.instance });
    this.print(facts, () => describeTeamServer(server, database));
    const signal = await stop;
    log.info('stopping', { signal });
    unwatch();
    // Someone at a terminal does not wait for load balancers.
    await server.close(signal === 'SIGTERM' ? drain : { ...drain, acceptMs: 0 });
    log.info('stopped');
    await log.end();
    await finishStdout(AbortSignal.abort());
  }

  async #warnOfEnd(flags: CertificateFlags, certificate: KeyAndCert, log: TeamLog): Promise<void> {
    const { certificateWarning } = await import('../src/cli/server/tls/own-certificate.js');
    const warning = certificateWarning(flags, certificate, systemNow());
    if (warning !== undefined) log.notice(warning);
  }

  /** Uses new certificates without a restart. Returns the function that ends this. */
  #watch(flags: CertificateFlags, { app }: LocalServer, log: TeamLog): () => void {
    const { 'tls-cert': cert, 'tls-key': key } = flags;
    // By default, a reload of a supervisor would end the server.
    process.on('SIGHUP', () => {});
    if (cert === undefined || key === undefined) return () => {};
    return watchCertificate({
      files: [cert, key],
      read: () => readCertificate(flags),
      onChange: (certificate) => {
        app.replaceCertificate(certificate);
        log.info('certificate read again', { file: cert });
        void this.#warnOfEnd(flags, certificate, log);
      },
      onProblem: (reason) => log.error('the certificate was not replaced', { file: cert, reason }),
    });
  }
}

interface CertificateFlags {
  'tls-cert': string | undefined;
  'tls-key': string | undefined;
}

import { Flags } from '@oclif/core';
import { allPages } from '../../src/cli/command/all-pages.js';
import { ControlCommand } from '../../src/cli/command/control-command.js';
import { requestFields } from '../../src/cli/flags/request-field.js';
import { moreHint, pageFlags } from '../../src/cli/flags/shared.js';
import { type Column, stdoutView, table } from '../../src/cli/output/table.js';
import { safeJson } from '../../src/cli/output/text.js';
import { writeStdout } from '../../src/cli/process/write-stdout.js';
import type { Client } from '../../src/client/client.js';
import type { AuditEntry } from '../../src/contract/control/logs.js';

const COLUMNS: Column[] = [
  { title: 'TIME', rank: 3, kind: 'time' },
  { title: 'WHO', rank: 1 },
  { title: 'ACTION', rank: 2 },
  { title: 'TARGET', rank: 4 },
  { title: 'FROM', rank: 5 },
  { title: 'DETAILS', rank: 6 },
];

export default class DevAudit extends ControlCommand {
  static override summary = 'List who changed what, newest first';

  static override description =
    'Lists the audit log: API keys, workspaces, webhooks, rules, faults and suppressions that were created or ' +
    'deleted, deleted and released emails, resets, exports and imports, moves of the clock, and sign-ins by a ' +
    'proxy. The server keeps the newest 10,000 entries, also after a reset and an import. A server for a team ' +
    'shows them to admin keys only.';

  static override examples = [
    '<%= config.bin %> dev audit',
    { description: 'Print the newest 100 entries as JSON', command: '<%= config.bin %> dev audit --limit 100 --json' },
    { description: 'Copy the whole log to a file', command: '<%= config.bin %> dev audit --lines > audit.jsonl' },
  ];

  static override flags = {
    ...pageFlags,
    lines: Flags.boolean({
      description: 'Print every entry as one JSON object per line, newest first.',
      exclusive: ['limit', 'offset'],
    }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DevAudit);
    const query = await requestFields(DevAudit.flags, flags);
    await this.withClient(flags, async (client) => {
      if (flags.lines) return writeLines(client);
      const page = await client.control('audit.list', { query });
      const rows = page.entries.map(rowOf);
      this.print(page, () => (rows.length > 0 ? table(COLUMNS, rows, stdoutView()) : ''));
      if (page.pagination.total === 0) this.info('No entries. The next change is the first one.');
      const more = moreHint(rows.length, page);
      if (more) this.info(more);
    });
  }
}

/** Writes all entries. Entries that are added meanwhile do not repeat others. */
async function writeLines(client: Client): Promise<void> {
  const pages = allPages(async (query) => {
    const { entries, pagination } = await client.control('audit.list', { query });
    return { items: entries.map((entry) => ({ id: String(entry.seq), entry })), pagination };
  });
  for await (const { items } of pages)
    await writeStdout(items.map(({ entry }) => `${safeJson(JSON.stringify(entry))}\n`).join(''));
}

function rowOf({ created_at, actor, action, target, client, details, workspace }: AuditEntry): string[] {
  const all = { ...(workspace !== null && { workspace }), ...details };
  const texts = Object.entries(all).map(([name, value]) => `${name}=${value}`);
  return [created_at, describeActor(actor), action, target ?? '-', client ?? 'this machine', texts.join(' ') || '-'];
}

function describeActor({ kind, name, key_id, owner }: AuditEntry['actor']): string {
  if (kind === 'person') return name ?? '';
  if (kind === 'password') return 'inbox password';
  if (kind === 'local') return 'local command';
  return `${owner ?? name} (${key_id})`;
}

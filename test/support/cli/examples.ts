import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './binary.js';
import type { Part } from './example-world.js';

/** Lists the examples in help, and the expected output of each. */

export interface Example {
  id: string;
  /** The command line as help prints it. */
  line: string;
}

/** Returns every command with the examples in its help. */
export function commandsWithExamples(): { id: string; examples: Example[] }[] {
  const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8')) as {
    commands: Record<string, { examples?: (string | { command: string })[] }>;
  };
  return Object.entries(commands).map(([id, { examples = [] }]) => ({
    id,
    examples: examples.map((each) => ({
      id,
      line: (typeof each === 'string' ? each : each.command).replaceAll('<%= config.bin %>', 'svc'),
    })),
  }));
}

export interface Expected {
  /** Matches the expected stdout, followed by stderr. */
  says: RegExp;
  /** A command to run before it, in the same shell. */
  before?: string;
  /** A command to run after it, in the same shell, for an example that prints nothing. */
  afterwards?: string;
  /** Parts that must not exist yet. */
  without?: Part[];
  env?: Record<string, string>;
  /** The exit codes that are allowed where the machine decides; otherwise 0. */
  codes?: number[];
  /** The shell that the example is written for. */
  shell?: string;
  /** The exit code of an example that runs until it is stopped. It is stopped once its output matches. */
  endless?: number;
}

const READY = /API +http|"base_url"/;

/**
 * Expectations by command line, or by its first words; the longest match wins. A line without an entry must exit with 0
 * and print something.
 */
export const expectations: Record<string, Expected> = {
  'svc analytics': { says: /^DATE +SENT/ },
  'eval "$(svc completion bash)"': { shell: 'bash', afterwards: 'complete -p svc', says: /-F _svc_complete svc/ },
  'eval "$(svc completion zsh)"': { shell: 'zsh', afterwards: 'print $_comps[svc]', says: /^_svc$/m },
  'svc completion fish | source': {
    shell: 'fish',
    afterwards: "complete -C 'svc emails ge'",
    says: /^get\tShow an email/,
  },
  // Another process may use the default ports, and an earlier example has moved the clock of this server.
  'svc doctor --repair --yes': { codes: [0, 1], says: /node +\d+/ },
  'svc doctor': { codes: [0, 1], says: /node +\d+|"check":"node"/ },
  'svc openapi -o openapi.json': { afterwards: 'cat openapi.json', says: /"openapi": "3\.1/ },
  'svc openapi --base-url': { says: /"url": "https:\/\/api\.example\.com\/v1"/ },
  'svc whoami': { says: /works +yes/ },
  'svc whoami --profile production': { says: /because +profile production/ },
  'svc api-keys create --name CI': { says: /^svc_test_\w+\nkey_/ },
  'svc api-keys create --name CI --rate-limit 600 --json > key.json': {
    afterwards: 'cat key.json',
    says: /"rate_limit":600/,
  },
  'svc api-keys list': { says: /CI$/m },
  'svc api-keys revoke': { says: /^key_\w+ +revoked/ },
  'eval "$(svc dev env)"': { afterwards: 'echo "$SVC_BASE_URL"', says: /^http:\/\/127\.0\.0\.1:\d+\/v1$/m },
  'svc dev env --json': { says: /"SVC_BASE_URL":"http/ },
  'svc dev exec --fresh -- npm test': { says: /^tested with http:\/\/127\.0\.0\.1:\d+\/v1$/m },
  'svc dev exec -- sh': { says: /^http:\/\/127\.0\.0\.1:\d+\/v1$/m },
  'svc dev': { endless: 0, says: READY },
  'svc dev --': { endless: 0, says: READY },
  'svc dev export state.tar.gz': { afterwards: 'tar tzf state.tar.gz', says: /^mail\.db$/m },
  // Asks for confirmation, and cannot prompt here.
  'svc dev import state.tar.gz': { before: 'svc dev export state.tar.gz', codes: [2], says: /Pass --yes/ },
  'svc dev import state.tar.gz --yes --pause-webhooks': { before: 'svc dev export state.tar.gz', says: /^Imported/m },
  'svc dev import state.tar.gz --yes': {
    before: 'svc dev export state.tar.gz',
    afterwards: 'svc emails list',
    says: /Your order/,
  },
  'svc dev reset': { afterwards: 'svc emails list --json', says: /"total":0.*Deleted all data\./s },
  'svc dev status': { says: /pid/ },
  'svc dev stop': { says: /^Stopped http/ },
  'svc domains add': { without: ['domain'], says: /pending\n\n.*_domainkey/s },
  'svc domains delete': { says: /^mail\.example\.com +deleted/ },
  'svc domains dns': { says: /svc\._domainkey\.mail\.example\.com +dkim +yes/ },
  'svc domains dns mail.example.com --unpublish dkim': { says: /dkim +no/ },
  'svc domains get': { says: /mail\.example\.com/ },
  'svc domains list': { says: /^mail\.example\.com +pending/m },
  'svc domains verify': { says: /verified/ },
  'svc emails cancel': { says: /^msg_\w+ +cancelled/ },
  'svc emails inspect latest --json': { says: /"filename":"a\.txt"/ },
  'svc emails inspect latest': { says: /a\.txt +text\/plain +1 bytes.*email\.sent +evt_/s },
  'svc emails inspect msg_': { says: /^status +\w+$.*Recipients:/ms },
  'svc emails get latest': { says: /Your order/ },
  'svc emails get latest --html > mail.html': {
    afterwards: 'cat mail.html',
    says: /<a href="https:\/\/example\.test\/reset"/,
  },
  'svc emails get latest --raw > mail.eml': { afterwards: 'cat mail.eml', says: /^Subject: Your order\r?$/m },
  'svc emails get latest --headers': { says: /^Subject: Your order$/m },
  'svc emails get latest --attachments': { says: /text\/plain +a\.txt/ },
  'svc emails get latest --save saved/': { afterwards: 'ls saved', says: /\.eml$/m },
  'svc emails list': { says: /^msg_\w+ +delivered .*Your order$/m },
  'svc emails list --status delivered --json': { says: /"status":"delivered"/ },
  'svc emails list --status bounced --all': { says: /^msg_\w+ +bounced/m },
  'svc emails list --watch': { endless: 130, says: /Waiting for emails/ },
  'svc emails send': { says: /^msg_\w+ +sent/ },
  'svc emails send --to ada@example.test --template': { says: /^msg_\w+ +scheduled/ },
  "echo '{": { says: /"track_opens": false/ },
  'svc emails simulate latest bounced': { says: /ada@example\.test +bounced/ },
  'svc emails simulate latest clicked': { says: /ada@example\.test +delivered/ },
  'svc logs list --status 4xx': { says: /404/ },
  'svc logs list --path': { says: /"path":"\/v1\/emails/ },
  'svc logs tail': { endless: 130, says: /Waiting for requests/ },
  'svc profiles add': { without: ['profiles'], env: { SVC_API_KEY: 'svc_test_x' }, says: /^production +https:/ },
  'pass show': { without: ['profiles'], says: /^production +https:/ },
  'svc profiles list': { says: /production/ },
  'svc profiles remove': { says: /^production +removed/ },
  'svc profiles show': { says: /name +production/ },
  'svc profiles use production': { says: /^production$/m },
  'svc profiles use local': { says: /^local$/m },
  'svc suppressions add': { says: /^ada@example\.test +manual/ },
  'svc suppressions list': { says: /^eve@example\.test/m },
  'svc suppressions remove': {
    before: 'svc suppressions add ada@example.test',
    says: /^ada@example\.test {2}removed$/m,
  },
  'svc templates create': { without: ['server template'], says: /^tpl_\w+ +welcome/ },
  'svc templates delete': { says: /^tpl_\w+ +deleted/ },
  'svc templates diff': { says: /^No differences\.$/m },
  'svc templates diff ./emails --json': { says: /"differs":false/ },
  'svc templates get': { says: /name +welcome/ },
  'svc templates init welcome': {
    without: ['template directory'],
    afterwards: 'ls templates/welcome',
    says: /body\.html/,
  },
  'svc templates init receipt': { afterwards: 'ls emails/receipt', says: /body\.html/ },
  'svc templates list': { says: /welcome/ },
  'svc templates list --all --json > templates.json': { afterwards: 'cat templates.json', says: /"name":"welcome"/ },
  'svc templates pull': { says: /welcome/ },
  'svc templates push': { says: /welcome/ },
  'svc templates render': { says: /Welcome to Lighthouse/ },
  'svc templates render welcome -o out/ --watch': { endless: 130, says: /\/out\/body\.html$/m },
  'svc templates update': { says: /^tpl_\w+ +welcome/ },
  'svc webhooks create': { says: /email\.delivered, ?email\.bounced/ },
  'svc webhooks delete': { says: /^whk_\w+ +deleted/ },
  'svc webhooks deliveries --failed': { says: /^dlv_\w+ +email\.sent +failed +\S+Z +4 +500/m },
  'svc webhooks deliveries --event email.bounced': { says: /No deliveries match/ },
  'svc webhooks deliveries dlv_': { says: /X-Service-Signature|POST|500/i },
  'svc webhooks list': { says: /^whk_\w+ +yes/m },
  'svc webhooks listen': { endless: 130, says: /ready/ },
  'svc webhooks replay': { says: /email\.sent +200/ },
  'export SVC_WEBHOOK_SECRET': { afterwards: 'echo "$SVC_WEBHOOK_SECRET"', says: /^whsec_\w+$/m },
  'svc webhooks trigger email.bounced': { says: /event +email\.bounced\nemail_id +msg_/ },
  'svc webhooks trigger email.clicked': { says: /event +email\.clicked\nemail_id +msg_/ },
  'svc webhooks trigger email.bounced --set': { says: /^evt_\w+ +email\.bounced/ },
  'svc webhooks update': { says: /active +no/ },
  'svc webhooks verify': { says: /^valid$/m },
  'svc dev clock': { says: /2026-11-21T09:0/ },
  'svc dev clock advance 1d12h': { says: /2026-11-22T21:0/ },
  'svc dev clock reset': { says: /^\S+Z {2}system time$/m },
  'svc dev clock set': { says: /2027-01-31T23:59:00/ },
  'svc dev rules add': { says: /^rul_\w+/ },
  'svc dev rules list': { says: /\*@corp\.test +bounced/ },
  'svc dev rules remove': { says: /^rul_\w+ {2}removed$/m },
};

/** Returns the expectation for a line, and the key of its entry. */
export function expectedOf(line: string): [key: string, Expected] | undefined {
  const fits = Object.entries(expectations).filter(([key]) => line === key || (line.startsWith(key) && !isWhole(key)));
  return fits.sort(([a], [b]) => b.length - a.length)[0];
}

/** Returns whether a key ends at a word: `svc dev` is not the beginning of `svc dev env`. */
function isWhole(key: string): boolean {
  return key === 'svc dev';
}

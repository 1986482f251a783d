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

/** A message for the examples of imports. */
const MAIL = "mkdir mail; printf 'From: a@example.test\\nTo: ada@example.test\\n\\nHi\\n' > mail/welcome.eml";

export interface Expected {
  /** Matches the expected stdout, followed by stderr. */
  prints: RegExp;
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
  stopCode?: number;
}

/** Root cannot use the sandbox of a browser. */
const AS_ROOT = { SVC_BROWSER_SANDBOX: '0' };
const TEAM_KEY = 'svc_test_teamadmin0123456789';
const READY = /API +http|"base_url"/;

/**
 * Expectations by command line, or by its first words; the longest match wins. A line without an entry must exit with 0
 * and print something.
 */
export const expectations: Record<string, Expected> = {
  'svc analytics': { prints: /^DATE +SENT/ },
  'eval "$(svc completion bash)"': { shell: 'bash', afterwards: 'complete -p svc', prints: /-F _svc_complete svc/ },
  'eval "$(svc completion zsh)"': { shell: 'zsh', afterwards: 'print $_comps[svc]', prints: /^_svc$/m },
  'svc completion fish | source': {
    shell: 'fish',
    afterwards: "complete -C 'svc emails ge'",
    prints: /^get\tShow an email/,
  },
  // Another process may use the default ports, and an earlier example has moved the clock of this server.
  'svc doctor --repair --yes': { codes: [0, 1], prints: /node +\d+/ },
  'svc doctor': { codes: [0, 1], prints: /node +\d+|"check":"node"/ },
  'echo \'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\' | svc mcp': { prints: /"name":"send_email"/ },
  'svc openapi -o openapi.json': { afterwards: 'cat openapi.json', prints: /"openapi": "3\.1/ },
  'svc openapi --base-url': { prints: /"url": "https:\/\/api\.example\.com\/v1"/ },
  'svc whoami': { prints: /works +yes/ },
  'svc whoami --profile production': { prints: /because +profile production/ },
  'svc api-keys create --name CI --rate-limit 600': { prints: /^svc_test_\w+\nkey_/ },
  'svc api-keys create --name CI --rate-limit 600 --json > key.json': {
    afterwards: 'cat key.json',
    prints: /"rate_limit":600/,
  },
  'svc api-keys list': { prints: /CI$/m },
  'svc api-keys revoke': { prints: /^key_\w+ +revoked/ },
  'eval "$(svc dev env)"': { afterwards: 'echo "$SVC_BASE_URL"', prints: /^http:\/\/127\.0\.0\.1:\d+\/v1$/m },
  'svc dev env --format fish | source': {
    shell: 'fish',
    afterwards: 'echo "$SVC_BASE_URL"',
    prints: /^http:\/\/127\.0\.0\.1:\d+\/v1$/m,
  },
  'svc dev env --format github': {
    before: 'export GITHUB_ENV=github.env',
    afterwards: 'cat github.env',
    prints: /^SVC_BASE_URL=http/m,
  },
  'svc dev env --for django': { prints: /^EMAIL_PORT = \d+$/m },
  'svc dev env --json': { prints: /"SVC_BASE_URL":"http/ },
  'svc dev exec --fresh -- npm test': { prints: /^tested with http:\/\/127\.0\.0\.1:\d+\/v1$/m },
  'svc dev exec --fresh --report --fail-on-warning -- npm test': {
    prints: /^tested with .*[\s\S]*^No warnings since /m,
  },
  'svc dev report': { prints: /^(?:No warnings since|\d+ warnings? and )/, codes: [0, 3] },
  'svc dev exec --fresh --artifacts svc-artifacts --summary -- npm test': { prints: /^## svc: 0 emails$/m },
  'svc dev exec -- sh': { prints: /^http:\/\/127\.0\.0\.1:\d+\/v1$/m },
  'svc dev': { stopCode: 0, prints: READY },
  'svc dev --detach': {
    // Another process may use the default ports.
    env: { SVC_DATA_DIR: './own' },
    codes: [0, 5],
    prints: /To stop it, run: svc dev stop|is already in use/,
    afterwards: 'svc dev stop',
  },
  'svc dev --': { stopCode: 0, prints: READY },
  'svc serve --tls-cert': { codes: [2], env: { SVC_API_KEY: TEAM_KEY }, prints: /cert\.pem cannot be read/ },
  'svc serve': { stopCode: 0, env: { SVC_API_KEY: TEAM_KEY }, prints: READY },
  'svc dev audit': { before: 'svc suppressions add audited@example.test', prints: /suppressions\.create\b/ },
  'svc dev audit --lines > audit.jsonl': {
    before: 'svc suppressions add audited@example.test',
    afterwards: 'grep -c suppressions.create audit.jsonl',
    prints: /^[1-9]\d*$/m,
  },
  'svc dev ca --instructions': { codes: [1], prints: /No local CA found/ },
  'svc dev ca': { codes: [1], prints: /No local CA found/ },
  'svc dev compact --json': { prints: /"size":\d+/ },
  'svc dev compact': { prints: /^\d.* → \d/m },
  'svc dev export state.tar.gz': { afterwards: 'tar tzf state.tar.gz', prints: /^mail\.db$/m },
  // Asks for confirmation, and cannot prompt here.
  'svc dev import state.tar.gz': { before: 'svc dev export state.tar.gz', codes: [2], prints: /Pass --yes/ },
  'svc dev import state.tar.gz --yes --pause-webhooks': { before: 'svc dev export state.tar.gz', prints: /^Imported/m },
  'svc dev import state.tar.gz --yes': {
    before: 'svc dev export state.tar.gz',
    afterwards: 'svc emails list',
    prints: /Your order/,
  },
  'svc dev reset': { afterwards: 'svc emails list --json', prints: /"total":0.*Deleted all data in \S+\.\n/s },
  'svc dev status': { prints: /pid/ },
  'svc dev stop': { prints: /^Stopped http/ },
  'svc domains add': {
    without: ['domain'],
    prints:
      /pending\n\nPURPOSE +TYPE +NAME +VALUE\nverification +TXT +_svc-verification\.\S+ +svc-verification=\w+\n.*_domainkey/s,
  },
  'svc domains delete': { prints: /^mail\.example\.com +deleted/ },
  'svc domains dns': { prints: /svc\._domainkey\.mail\.example\.com +dkim +yes/ },
  'svc domains dns mail.example.com --unpublish dkim': { prints: /dkim +no/ },
  'svc domains get': { prints: /mail\.example\.com/ },
  'svc domains list': { prints: /^mail\.example\.com +pending/m },
  'svc domains verify': { prints: /verified/ },
  'svc emails assert --to ada@example.test': { prints: /^ok {6}has-link "https:\/\/example\.test\/.*": found https/m },
  'svc emails assert --no-placeholders': { prints: /^ok {6}links-ok: /m },
  'svc emails assert --absent': { prints: /^ok {6}absent: found no email for to:eve@example\.test/ },
  'svc emails assert --subject order --snapshot': {
    before: 'svc emails assert --subject order --snapshot order.html --update',
    prints: /^ok {6}snapshot \S+: \S/m,
  },
  'svc emails cancel': { prints: /^msg_\w+ +cancelled/ },
  'svc emails delete': { prints: /^\d+ emails? deleted$/m },
  'svc emails mark --search subject:invoice --tag billing': { prints: /^\d+ emails? tagged billing$/m },
  'svc emails mark': { prints: /^\d+ emails? marked as (un)?read$/m },
  'svc emails check emails/welcome/body.html': { prints: /^not run +Plain text/m },
  'svc emails check latest --client gmail --client outlook.windows': {
    prints: /^Changes in Gmail \(web\), approximate/m,
  },
  'svc emails check latest --fail-on error --min-score 50': { prints: /^passed +Placeholders/m },
  'svc emails check latest --json': { prints: /"id":"html-support"/ },
  'svc emails check': { prints: /HTML and CSS support: Score/ },
  'svc emails inspect latest --json': { prints: /"filename":"a\.txt"/ },
  'svc emails inspect latest': { prints: /a\.txt +text\/plain +1 bytes.*email\.sent +evt_/s },
  'svc emails inspect msg_': { prints: /^status +\w+$.*Recipients:/ms },
  'svc emails get latest': { prints: /Your order/ },
  'svc emails get latest --html > mail.html': {
    afterwards: 'cat mail.html',
    prints: /<a href="https:\/\/example\.test\/reset"/,
  },
  'svc emails get latest --raw > mail.eml': { afterwards: 'cat mail.eml', prints: /^Subject: Your order\r?$/m },
  'svc emails get latest --headers': { prints: /^Subject: Your order$/m },
  'svc emails get latest --attachments': { prints: /text\/plain +a\.txt/ },
  'svc emails get latest --save saved/': { afterwards: 'ls saved', prints: /\.eml$/m },
  'svc emails list': { prints: /^msg_\w+ +delivered .*Your order$/m },
  'svc emails list --status delivered --json': { prints: /"status":"delivered"/ },
  'svc emails list --status bounced --all': { prints: /^msg_\w+ +bounced/m },
  'svc emails list --search': { prints: /Your order$/m },
  'svc emails list --watch': { stopCode: 130, prints: /Waiting for emails/ },
  'svc emails wait --to ada@example.test': { prints: /^subject +Your order$.*received/ms },
  'svc emails wait --to ada@example.test --subject /order/i --extract link': {
    prints: /^https:\/\/example\.test\/reset$/m,
  },
  'svc emails wait --from': { prints: /^\{"emails":\[\{"id":"msg_/ },
  'svc emails wait --to nobody@example.test': { prints: /^As expected, no email matched within 1s: / },
  'svc emails send': { prints: /^msg_\w+ +sent/ },
  'svc emails send --to ada@example.test --template': { prints: /^msg_\w+ +scheduled/ },
  "echo '{": { prints: /"track_opens": false/ },
  'svc emails import mail/*.eml': { before: MAIL, prints: /^1 email imported\.$/m },
  'svc emails import archive.mbox': {
    before: "printf 'From a@example.test Mon Mar  2 10:00:00 2020\\nTo: ada@example.test\\n\\nHi\\n' > archive.mbox",
    prints: /^1 email imported\.$/m,
  },
  'cat mail/welcome.eml | svc emails import -': { before: MAIL, prints: /^1 email imported\.$/m },
  'svc emails release latest': { codes: [1], prints: /no relay/ },
  "printf 'To: ada@example.test": { afterwards: 'svc emails wait --to ada@example.test --subject Hi', prints: /Hi/ },
  "printf 'Subject: Cron": { afterwards: 'svc emails wait --to root@localhost.localdomain', prints: /Cron/ },
  'svc emails resend latest': { prints: /^msg_\w+$/m },
  'svc emails simulate latest bounced': { prints: /ada@example\.test +bounced/ },
  'svc emails simulate latest clicked': { prints: /ada@example\.test +delivered/ },
  'svc logs list --status 4xx': { prints: /404/ },
  'svc logs list --path': { prints: /"path":"\/v1\/emails/ },
  'svc logs tail': { stopCode: 130, prints: /Waiting for requests/ },
  'svc smtp sessions --failed': { prints: /MAIL|5\d\d / },
  'svc smtp sessions latest': { prints: /S: 220 .*C: EHLO/s },
  'svc smtp sessions --follow': { stopCode: 130, prints: /Waiting for SMTP sessions/ },
  'svc profiles add': { without: ['profiles'], env: { SVC_API_KEY: 'svc_test_x' }, prints: /^production +https:/ },
  'pass show': { without: ['profiles'], prints: /^production +https:/ },
  'svc profiles check production --json': { afterwards: 'cat differences.json', prints: /"differences":\[/ },
  'svc profiles list': { prints: /production/ },
  'svc profiles remove': { prints: /^production +removed/ },
  'svc profiles show': { prints: /name +production/ },
  'svc profiles use production': { prints: /^production$/m },
  'svc profiles use local': { prints: /^local$/m },
  'svc suppressions add': { prints: /^ada@example\.test +manual/ },
  'svc suppressions list': { prints: /^eve@example\.test/m },
  'svc suppressions remove': {
    before: 'svc suppressions add ada@example.test',
    prints: /^ada@example\.test {2}removed$/m,
  },
  'svc templates create': { without: ['server template'], prints: /^tpl_\w+ +welcome/ },
  'svc templates delete': { prints: /^tpl_\w+ +deleted/ },
  'svc templates check ./emails': { prints: /^welcome: score .*1 template checked, 0 failed\.$/ms },
  'svc templates diff': { prints: /^No differences\.$/m },
  'svc templates diff ./emails --json': { prints: /"differs":false/ },
  'svc templates get': { prints: /name +welcome/ },
  'svc templates init welcome': {
    without: ['template directory'],
    afterwards: 'ls templates/welcome',
    prints: /body\.html/,
  },
  'svc templates init receipt': { afterwards: 'ls emails/receipt', prints: /body\.html/ },
  'svc templates list': { prints: /welcome/ },
  'svc templates list --all --json > templates.json': { afterwards: 'cat templates.json', prints: /"name":"welcome"/ },
  'svc templates pull': { before: 'rm -r templates/welcome emails/welcome', prints: /welcome/ },
  'svc templates push': { without: ['server template'], prints: /welcome/ },
  'svc templates render': { prints: /Welcome to Lighthouse/ },
  'svc emails screenshot': { env: AS_ROOT, prints: /msg_\w+\.png$/m },
  'svc emails screenshot --search subject:order --dark --width 375 --output order.png': {
    env: AS_ROOT,
    prints: /order\.png$/m,
  },
  'svc emails screenshot latest --client outlook --dark --output outlook.png': {
    env: AS_ROOT,
    prints: /outlook\.png$/m,
  },
  'svc templates screenshot': { env: AS_ROOT, prints: /\.png$/m },
  'svc templates check ./emails --baseline pictures --update': { env: AS_ROOT, prints: /checked, 0 failed/ },
  'svc templates dev ./emails --print': { stopCode: 0, prints: /^http:\/\/127\.0\.0\.1:\d+$/m },
  'svc templates dev ./emails': { stopCode: 0, prints: /^http:\/\/127\.0\.0\.1:\d+$/m },
  'svc templates render welcome -o out/ --watch': { stopCode: 130, prints: /\/out\/body\.html$/m },
  'svc templates update': { prints: /^tpl_\w+ +welcome/ },
  'svc webhooks create': { prints: /email\.delivered, ?email\.bounced/ },
  'svc webhooks delete': { prints: /^whk_\w+ +deleted/ },
  'svc webhooks deliveries --failed': { prints: /^dlv_\w+ +email\.sent +failed +\S+Z +4 +500/m },
  'svc webhooks deliveries --event email.bounced': { prints: /No deliveries match/ },
  'svc webhooks deliveries --email latest': { prints: /email\.\w+|No deliveries match/ },
  'svc webhooks deliveries dlv_': { prints: /X-Service-Signature|POST|500/i },
  'svc webhooks list': { prints: /^whk_\w+ +yes/m },
  'svc webhooks listen': { stopCode: 130, prints: /ready/ },
  'svc webhooks replay': { prints: /email\.sent +200/ },
  'export SVC_WEBHOOK_SECRET': { afterwards: 'echo "$SVC_WEBHOOK_SECRET"', prints: /^whsec_\w+$/m },
  'svc webhooks trigger email.bounced': { prints: /event +email\.bounced\nemail_id +msg_/ },
  'svc webhooks trigger email.clicked': { prints: /event +email\.clicked\nemail_id +msg_/ },
  'svc webhooks trigger email.bounced --set': { prints: /^evt_\w+ +email\.bounced/ },
  'svc webhooks update': { prints: /active +no/ },
  'svc webhooks verify': { prints: /^valid$/m },
  'svc dev clock': { prints: /2026-11-21T09:0/ },
  'svc dev clock advance 1d12h': { prints: /2026-11-22T21:0/ },
  'svc dev clock reset': { prints: /^\S+Z {2}system time$/m },
  'svc dev clock set': { prints: /2027-01-31T23:59:00/ },
  'svc dev faults add': { prints: /^flt_\w+ {2}/ },
  'svc dev faults list': { prints: /^flt_\w+ +webhook https:\/\/faults\.example\/\* +500 +0 +unlimited/m },
  'svc dev faults remove': { prints: /^(flt_\w+ {2}removed|\d+ faults? removed)$/m },
  'svc dev rules add': { prints: /^rul_\w+/ },
  'svc dev rules list': { prints: /\*@corp\.test +bounced/ },
  'svc dev rules remove': { prints: /^rul_\w+ {2}removed$/m },
  'svc dev workspaces create': { prints: /^(worker-\d|ws-\w{10}) {2}svc_(test|live)_/m },
  'svc dev workspaces list': { before: 'svc dev workspaces create worker-7', prints: /^worker-7 +0/m },
  'svc dev workspaces update': { before: 'svc dev workspaces create worker-1', prints: /quota +500/ },
  'svc dev workspaces update worker-1 --default': {
    before: 'svc dev workspaces create worker-1 --monthly-quota 500',
    prints: /quota +quota of the plan/,
  },
  'svc dev workspaces delete': { before: 'svc dev workspaces create worker-1', prints: /^worker-1 {2}deleted$/m },
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

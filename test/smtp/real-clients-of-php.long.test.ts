import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DevServer, type Ready, startDev, temporaryDirectory } from '../support/cli/binary.js';
import { runTool, skippedWithout } from '../support/cli/tools.js';
import { data, newestParsed } from '../support/servers/server-calls.js';

/** Tests TLS and log-ins with PHPMailer and Symfony Mailer, with the settings that docs/smtp.md names. */

const PHPMAILER = '/usr/share/php/libphp-phpmailer/autoload.php';
const SYMFONY = '/usr/share/php/Symfony/Component/Mailer/autoload.php';
const withoutPhpMailer = skippedWithout('libphp-phpmailer', existsSync(PHPMAILER));
const withoutSymfony = skippedWithout('php-symfony-mailer', existsSync(SYMFONY));

const LOGIN = ['ada', 'pencil'];

interface ReadyWithTls extends Ready {
  tls: { smtps: { host: string; port: number }; ca_file: string };
}

describe('a server that requires TLS and a log-in', () => {
  const folder = temporaryDirectory();
  let dev: DevServer;
  let ready: ReadyWithTls;

  beforeAll(async () => {
    const tls = ['--starttls=required', '--smtp-tls-port', '0'];
    const login = ['--smtp-auth', 'required', '--smtp-user', LOGIN.join(':')];
    dev = await startDev(['--data-dir', join(folder.path, 'data'), ...tls, ...login]);
    ready = dev.ready as ReadyWithTls;
  });

  afterAll(async () => {
    expect(await dev.stop()).toBe(0);
    folder.remove();
  });

  /** Runs a script with arguments, which are `$argv[1]` and those after it. */
  const php = (script: string, args: readonly string[], trust = ['-d', `openssl.cafile=${ready.tls.ca_file}`]) =>
    runTool('php', [...trust, '-r', script, '--', ...args]);

  const newest = async () => {
    await newestParsed(ready);
    const [{ id, subject }] = (await data(ready, '/v1/emails?limit=1')).emails;
    return { subject, ...(await data(ready, `/_svc/emails/${id}`)) };
  };

  it.skipIf(withoutPhpMailer).each(['tls', 'ssl'])(
    `PHPMailer sends with SMTPSecure %s${withoutPhpMailer}`,
    async (how) => {
      const { port } = how === 'ssl' ? ready.tls.smtps : ready.smtp;
      const send = (login: readonly string[], type: string, trust?: string[]) =>
        php(PHPMAILER_SCRIPT, [String(port), how, ...login, type], trust);

      await send(LOGIN, '');

      expect(await newest()).toMatchObject({ subject: `PHPMailer ${how}`, smtp_key_id: null });
      // Without a type, it prefers CRAM-MD5, which cannot check API keys.
      await send(['any', ready.api_key], 'PLAIN');
      expect((await newest()).smtp_key_id).toMatch(/^key_/);
      await expect(send(['any', ready.api_key], '')).rejects.toThrow('Could not authenticate');
      await expect(send(LOGIN, '', [])).rejects.toThrow(/certificate verify failed|Could not connect/);
    },
  );

  it.skipIf(withoutSymfony).each(['smtp', 'smtps'])(`Symfony Mailer sends with %s${withoutSymfony}`, async (scheme) => {
    const { port } = scheme === 'smtps' ? ready.tls.smtps : ready.smtp;
    const send = ([name, password]: readonly string[], trust?: string[]) =>
      php(SYMFONY_SCRIPT, [`${scheme}://${name}:${password}@localhost:${port}`, scheme], trust);

    await send(LOGIN);

    expect(await newest()).toMatchObject({ subject: `Symfony ${scheme}`, smtp_key_id: null });
    await send(['any', ready.api_key]);
    expect((await newest()).smtp_key_id).toMatch(/^key_/);
    await expect(send(['ada', 'wrong'])).rejects.toThrow('535');
    await expect(send(LOGIN, [])).rejects.toThrow(/certificate verify failed|Unable to connect/);
  });
});

const PHPMAILER_SCRIPT = `
require '${PHPMAILER}';
[, $port, $secure, $name, $password, $type] = $argv;
$mail = new PHPMailer\\PHPMailer\\PHPMailer(true);
$mail->isSMTP();
$mail->Host = 'localhost';
$mail->Port = (int) $port;
$mail->SMTPSecure = $secure;
$mail->SMTPAuth = true;
$mail->AuthType = $type;
$mail->Username = $name;
$mail->Password = $password;
$mail->setFrom('app@example.test');
$mail->addAddress('ada@example.test');
$mail->Subject = "PHPMailer $secure";
$mail->Body = 'Hello';
$mail->send();
`;

const SYMFONY_SCRIPT = `
require '${SYMFONY}';
[, $dsn, $scheme] = $argv;
$mailer = new Symfony\\Component\\Mailer\\Mailer(Symfony\\Component\\Mailer\\Transport::fromDsn($dsn));
$email = new Symfony\\Component\\Mime\\Email();
$mailer->send($email->from('app@example.test')->to('ada@example.test')->subject("Symfony $scheme")->text('Hello'));
`;

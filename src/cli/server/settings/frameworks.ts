import { isLoopback } from '../../../contract/vocabulary/domains.js';
import { shellQuote } from '../../output/text.js';

/** Formats the SMTP settings of a local server for frameworks and libraries, to be pasted as they are. */

/** What clients need to know about a server. */
export interface SmtpClientSettings {
  host: string;
  port: number;
  /** Whether the server offers or requires STARTTLS; undefined for neither. */
  starttls?: 'offered' | 'required' | undefined;
  /** The file with the certificate of the server's CA; undefined if clients need not trust one. */
  caFile?: string | undefined;
  /** A login; undefined if the server accepts clients without one. */
  login?: { user: string; password: string } | undefined;
}

/** Settings in the forms that the templates insert. */
interface Settings extends SmtpClientSettings {
  /** Whether clients must use STARTTLS. */
  isTls: boolean;
  /** The file of the CA as a string of JavaScript, Python and Ruby, and as a word of a shell. */
  ca: { inCode: string; inShell: string } | undefined;
}

const frameworks = {
  django: ({ host, port, isTls, ca, login }: Settings) => `# settings.py
${isTls && ca ? `# Trust the certificate of the local CA: SSL_CERT_FILE=${ca.inShell} python manage.py runserver\n` : ''}EMAIL_BACKEND = 'django.core.mail.backends.smtp.EmailBackend'
EMAIL_HOST = '${host}'
EMAIL_PORT = ${port}
EMAIL_HOST_USER = '${login?.user ?? ''}'
EMAIL_HOST_PASSWORD = '${login?.password ?? ''}'
EMAIL_USE_TLS = ${isTls ? 'True' : 'False'}
EMAIL_USE_SSL = False
`,
  // It uses STARTTLS wherever a server offers it.
  laravel: ({
    host,
    port,
    isTls,
    ca,
    login,
  }: Settings) => `# .env; MAIL_SCHEME is read by Laravel 11 and later, MAIL_ENCRYPTION by earlier versions
${ca ? `# Trust the certificate of the local CA: php -d openssl.cafile=${ca.inShell} artisan serve\n` : ''}MAIL_MAILER=smtp
MAIL_SCHEME=null
MAIL_ENCRYPTION=${isTls ? 'tls' : 'null'}
MAIL_HOST=${host}
MAIL_PORT=${port}
MAIL_USERNAME=${login?.user ?? 'null'}
MAIL_PASSWORD=${login?.password ?? 'null'}
`,
  // It uses STARTTLS wherever a server offers it, too.
  symfony: ({ host, port, ca, login }: Settings) => `# .env.local
${ca ? `# Trust the certificate of the local CA: php -d openssl.cafile=${ca.inShell} bin/console messenger:consume\n` : ''}MAILER_DSN=smtp://${userInfo(login)}${host}:${port}
`,
  // The variables of Auth.js's email provider, which passes EMAIL_SERVER to Nodemailer.
  nextjs: ({ host, port, isTls, ca, login }: Settings) => `# .env.local, for Auth.js
${isTls && ca ? `# Trust the certificate of the local CA: NODE_EXTRA_CA_CERTS=${ca.inShell} npx next dev\n` : ''}EMAIL_SERVER=smtp://${userInfo(login)}${host}:${port}${isTls ? '?requireTLS=true' : '?ignoreTLS=true'}
EMAIL_FROM=app@example.test
`,
  supabase: ({ host, port, isTls, login }: Settings) => `# supabase/config.toml
# Supabase Auth runs in a container. There, host.docker.internal is this machine, and svc must accept its connections:
# svc dev --host 0.0.0.0
${isTls ? '# It does not trust the local CA: start svc without --starttls=required.\n' : ''}[auth.email.smtp]
enabled = true
host = "${isLoopback(host) ? 'host.docker.internal' : host}"
port = ${port}
user = "${login?.user ?? 'svc'}"
pass = "${login?.password ?? 'svc'}"
admin_email = "app@example.test"
sender_name = "App"
`,
  rails: ({ host, port, isTls, ca, login }: Settings) => {
    const settings = [
      `address: '${host}'`,
      `port: ${port}`,
      isTls ? 'enable_starttls: true' : 'enable_starttls_auto: false',
      isTls && ca && `ca_file: ${ca.inCode}`,
      login && `user_name: '${login.user}', password: '${login.password}', authentication: :plain`,
    ];
    return `# config/environments/development.rb, inside Rails.application.configure
config.action_mailer.delivery_method = :smtp
config.action_mailer.perform_deliveries = true
config.action_mailer.raise_delivery_errors = true
config.action_mailer.smtp_settings = { ${listed(settings)} }
`;
  },
  spring: ({ host, port, isTls, ca, login }: Settings) => `# application.properties
${isTls && ca ? '# Trust the certificate of the local CA with keytool: svc dev ca --instructions\n' : ''}spring.mail.host=${isTls ? named(host) : host}
spring.mail.port=${port}
${login ? `spring.mail.username=${login.user}\nspring.mail.password=${login.password}\n` : ''}spring.mail.properties.mail.smtp.auth=${login !== undefined}
spring.mail.properties.mail.smtp.starttls.enable=${isTls}
`,
  nodemailer: ({ host, port, isTls, ca, login }: Settings) => {
    const options = [
      `host: '${host}'`,
      `port: ${port}`,
      'secure: false',
      isTls ? 'requireTLS: true' : 'ignoreTLS: true',
      isTls && ca && `tls: { ca: readFileSync(${ca.inCode}) }`,
      login && `auth: { user: '${login.user}', pass: '${login.password}' }`,
    ];
    return `${isTls && ca ? "import { readFileSync } from 'node:fs';\n" : ''}import nodemailer from 'nodemailer';

const transport = nodemailer.createTransport({ ${listed(options)} });
await transport.sendMail({
  from: 'app@example.test',
  to: 'ada@example.test',
  subject: 'Hello',
  text: 'Sent with Nodemailer.',
});
`;
  },
  smtplib: ({ host, port, isTls, ca, login }: Settings) => `import smtplib${isTls ? '\nimport ssl' : ''}
from email.message import EmailMessage

message = EmailMessage()
message['From'] = 'app@example.test'
message['To'] = 'ada@example.test'
message['Subject'] = 'Hello'
message.set_content('Sent with smtplib.')
with smtplib.SMTP('${host}', ${port}) as smtp:
${isTls ? `    smtp.starttls(context=ssl.create_default_context(${ca ? `cafile=${ca.inCode}` : ''}))\n` : ''}${login ? `    smtp.login('${login.user}', '${login.password}')\n` : ''}    smtp.send_message(message)
`,
  aiosmtplib: ({ host, port, isTls, ca, login }: Settings) => {
    const options = [
      'message',
      `hostname='${host}'`,
      `port=${port}`,
      isTls ? 'start_tls=True' : 'start_tls=False',
      isTls && ca && `cert_bundle=${ca.inCode}`,
      login && `username='${login.user}', password='${login.password}'`,
    ];
    return `import asyncio
from email.message import EmailMessage

import aiosmtplib

message = EmailMessage()
message['From'] = 'app@example.test'
message['To'] = 'ada@example.test'
message['Subject'] = 'Hello'
message.set_content('Sent with aiosmtplib.')
asyncio.run(aiosmtplib.send(${listed(options)}))
`;
  },
  flask: ({ host, port, isTls, ca, login }: Settings) => `# config.py, for Flask-Mail
${isTls && ca ? `# Trust the certificate of the local CA: SSL_CERT_FILE=${ca.inShell} flask run\n` : ''}MAIL_SERVER = '${host}'
MAIL_PORT = ${port}
MAIL_USE_TLS = ${isTls ? 'True' : 'False'}
MAIL_USE_SSL = False
MAIL_USERNAME = ${login ? `'${login.user}'` : 'None'}
MAIL_PASSWORD = ${login ? `'${login.password}'` : 'None'}
`,
  fastapi: ({ host, port, isTls, ca, login }: Settings) => `# For fastapi-mail
${isTls && ca ? `# Trust the certificate of the local CA: SSL_CERT_FILE=${ca.inShell} fastapi dev\n` : ''}import email_validator
from fastapi_mail import ConnectionConfig

# Without it, addresses that end in .test are refused.
email_validator.TEST_ENVIRONMENT = True
config = ConnectionConfig(
    MAIL_SERVER='${host}',
    MAIL_PORT=${port},
    MAIL_FROM='app@example.test',
    MAIL_USERNAME='${login?.user ?? ''}',
    MAIL_PASSWORD='${login?.password ?? ''}',
    USE_CREDENTIALS=${login ? 'True' : 'False'},
    MAIL_STARTTLS=${isTls ? 'True' : 'False'},
    MAIL_SSL_TLS=False,
)
`,
  go: ({ host, port, ca, login }: Settings) => `// Uses STARTTLS wherever a server offers it.
${ca ? `// Trust the certificate of the local CA: SSL_CERT_FILE=${ca.inShell} go run .\n` : ''}package main

import (
	"log"
	"net/smtp"
)

func main() {
	message := "From: app@example.test\\r\\nTo: ada@example.test\\r\\nSubject: Hello\\r\\n\\r\\nSent with net/smtp.\\r\\n"
	auth := ${login ? `smtp.PlainAuth("", ${JSON.stringify(login.user)}, ${JSON.stringify(login.password)}, "${host}")` : 'smtp.Auth(nil)'}
	to := []string{"ada@example.test"}
	if err := smtp.SendMail("${host.includes(':') ? `[${host}]` : host}:${port}", auth, "app@example.test", to, []byte(message)); err != nil {
		log.Fatal(err)
	}
}
`,
  jakarta: ({ host, port, isTls, ca, login }: Settings) => `# mail.properties, for Jakarta Mail
${isTls && ca ? '# Trust the certificate of the local CA with keytool: svc dev ca --instructions\n' : ''}${login ? `# Log in as ${login.user} with the password ${login.password}\n` : ''}mail.smtp.host=${isTls ? named(host) : host}
mail.smtp.port=${port}
mail.smtp.auth=${login !== undefined}
mail.smtp.starttls.enable=${isTls}
mail.smtp.starttls.required=${isTls}
`,
  lettre: ({ host, port, isTls, ca, login }: Settings) => {
    const calls = [
      `.port(${port})`,
      login &&
        `.credentials(Credentials::new(${JSON.stringify(login.user)}.into(), ${JSON.stringify(login.password)}.into()))`,
    ];
    const start = isTls
      ? `SmtpTransport::starttls_relay("${named(host)}")?`
      : `SmtpTransport::builder_dangerous("${host}")`;
    return `// For lettre
${isTls && ca ? `// Trust the certificate of the local CA: SSL_CERT_FILE=${ca.inShell} cargo run\n` : ''}use lettre::{${login ? 'transport::smtp::authentication::Credentials, ' : ''}SmtpTransport, Transport};

let mailer = ${start}
${calls
  .filter(Boolean)
  .map((each) => `    ${each}\n`)
  .join('')}    .build();
`;
  },
};

/** Some clients in Java and Rust compare the name in the certificate with names only, and not with addresses. */
function named(host: string): string {
  return isLoopback(host) ? 'localhost' : host;
}

export type Framework = keyof typeof frameworks;
export const frameworkNames = Object.keys(frameworks) as Framework[];

export function frameworkSettings(name: Framework, smtp: SmtpClientSettings): string {
  const { starttls, caFile } = smtp;
  const ca = caFile === undefined ? undefined : { inCode: quoted(caFile), inShell: shellQuote(caFile) };
  return frameworks[name]({ ...smtp, isTls: starttls === 'required', ca: starttls && ca });
}

/** Returns a login as a URL has it, before its host. */
function userInfo(login: Settings['login']): string {
  return login ? `${encodeURIComponent(login.user)}:${encodeURIComponent(login.password)}@` : '';
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

function listed(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(', ');
}

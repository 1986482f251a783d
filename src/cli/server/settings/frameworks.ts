import { shellQuote } from '../../process/shell-quote.js';

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
${isTls && ca ? '# Trust the certificate of the local CA with keytool: svc dev ca --instructions\n' : ''}spring.mail.host=${host}
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
};

export type Framework = keyof typeof frameworks;
export const frameworkNames = Object.keys(frameworks) as Framework[];

export function frameworkSettings(name: Framework, smtp: SmtpClientSettings): string {
  const { starttls, caFile } = smtp;
  const ca = caFile === undefined ? undefined : { inCode: quoted(caFile), inShell: shellQuote(caFile) };
  return frameworks[name]({ ...smtp, isTls: starttls === 'required', ca: starttls && ca });
}

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

function listed(parts: readonly (string | false | undefined)[]): string {
  return parts.filter(Boolean).join(', ');
}

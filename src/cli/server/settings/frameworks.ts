import type { RunningServer } from '../../data-dir/server-file.js';

/** Formats the SMTP settings of a local server for frameworks and libraries, to be pasted as they are. */

/** The address, and whether the server requires STARTTLS. */
type Smtp = RunningServer['smtp'] & { tls?: boolean };

const frameworks = {
  django: ({ host, port, tls }: Smtp) => `# settings.py
EMAIL_BACKEND = 'django.core.mail.backends.smtp.EmailBackend'
EMAIL_HOST = '${host}'
EMAIL_PORT = ${port}
EMAIL_HOST_USER = ''
EMAIL_HOST_PASSWORD = ''
EMAIL_USE_TLS = ${tls ? 'True' : 'False'}
EMAIL_USE_SSL = False
`,
  laravel: ({
    host,
    port,
    tls,
  }: Smtp) => `# .env; MAIL_SCHEME is read by Laravel 11 and later, MAIL_ENCRYPTION by earlier versions
MAIL_MAILER=smtp
MAIL_SCHEME=null
MAIL_ENCRYPTION=${tls ? 'tls' : 'null'}
MAIL_HOST=${host}
MAIL_PORT=${port}
MAIL_USERNAME=null
MAIL_PASSWORD=null
`,
  rails: ({ host, port, tls }: Smtp) => `# config/environments/development.rb, inside Rails.application.configure
config.action_mailer.delivery_method = :smtp
config.action_mailer.perform_deliveries = true
config.action_mailer.raise_delivery_errors = true
config.action_mailer.smtp_settings = { address: '${host}', port: ${port}, ${tls ? 'enable_starttls: true' : 'enable_starttls_auto: false'} }
`,
  spring: ({ host, port, tls }: Smtp) => `# application.properties
spring.mail.host=${host}
spring.mail.port=${port}
spring.mail.properties.mail.smtp.auth=false
spring.mail.properties.mail.smtp.starttls.enable=${tls ?? false}
`,
  nodemailer: ({ host, port, tls }: Smtp) => `import nodemailer from 'nodemailer';

const transport = nodemailer.createTransport({ host: '${host}', port: ${port}, secure: false, ${tls ? 'requireTLS' : 'ignoreTLS'}: true });
await transport.sendMail({
  from: 'app@example.test',
  to: 'ada@example.test',
  subject: 'Hello',
  text: 'Sent with Nodemailer.',
});
`,
  smtplib: ({ host, port, tls }: Smtp) => `import smtplib${tls ? '\nimport ssl' : ''}
from email.message import EmailMessage

message = EmailMessage()
message['From'] = 'app@example.test'
message['To'] = 'ada@example.test'
message['Subject'] = 'Hello'
message.set_content('Sent with smtplib.')
with smtplib.SMTP('${host}', ${port}) as smtp:${tls ? '\n    smtp.starttls(context=ssl.create_default_context())' : ''}
    smtp.send_message(message)
`,
};

export type Framework = keyof typeof frameworks;
export const frameworkNames = Object.keys(frameworks) as Framework[];

/** Returns the settings. A server that requires STARTTLS also needs clients to trust its certificate. */
export function frameworkSettings(name: Framework, smtp: Smtp): string {
  return frameworks[name](smtp);
}

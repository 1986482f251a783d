import type { RunningServer } from '../../data-dir/server-file.js';

/** Formats the SMTP settings of a local server for frameworks and libraries, to be pasted as they are. */

type Smtp = RunningServer['smtp'];

const frameworks = {
  django: ({ host, port }: Smtp) => `# settings.py
EMAIL_BACKEND = 'django.core.mail.backends.smtp.EmailBackend'
EMAIL_HOST = '${host}'
EMAIL_PORT = ${port}
EMAIL_HOST_USER = ''
EMAIL_HOST_PASSWORD = ''
EMAIL_USE_TLS = False
EMAIL_USE_SSL = False
`,
  laravel: ({
    host,
    port,
  }: Smtp) => `# .env; MAIL_SCHEME is read by Laravel 11 and later, MAIL_ENCRYPTION by earlier versions
MAIL_MAILER=smtp
MAIL_SCHEME=null
MAIL_ENCRYPTION=null
MAIL_HOST=${host}
MAIL_PORT=${port}
MAIL_USERNAME=null
MAIL_PASSWORD=null
`,
  rails: ({ host, port }: Smtp) => `# config/environments/development.rb, inside Rails.application.configure
config.action_mailer.delivery_method = :smtp
config.action_mailer.perform_deliveries = true
config.action_mailer.raise_delivery_errors = true
config.action_mailer.smtp_settings = { address: '${host}', port: ${port}, enable_starttls_auto: false }
`,
  spring: ({ host, port }: Smtp) => `# application.properties
spring.mail.host=${host}
spring.mail.port=${port}
spring.mail.properties.mail.smtp.auth=false
spring.mail.properties.mail.smtp.starttls.enable=false
`,
  nodemailer: ({ host, port }: Smtp) => `import nodemailer from 'nodemailer';

const transport = nodemailer.createTransport({ host: '${host}', port: ${port}, secure: false, ignoreTLS: true });
await transport.sendMail({
  from: 'app@example.test',
  to: 'ada@example.test',
  subject: 'Hello',
  text: 'Sent with Nodemailer.',
});
`,
  smtplib: ({ host, port }: Smtp) => `import smtplib
from email.message import EmailMessage

message = EmailMessage()
message['From'] = 'app@example.test'
message['To'] = 'ada@example.test'
message['Subject'] = 'Hello'
message.set_content('Sent with smtplib.')
with smtplib.SMTP('${host}', ${port}) as smtp:
    smtp.send_message(message)
`,
};

export type Framework = keyof typeof frameworks;
export const frameworkNames = Object.keys(frameworks) as Framework[];

export function frameworkSettings(name: Framework, smtp: Smtp): string {
  return frameworks[name](smtp);
}

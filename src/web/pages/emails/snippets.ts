/** Ways to send a first email to a server. */

interface Server {
  base_url: string;
  smtp: { host: string; port: number } | null;
  command_flags: string;
}

export interface Snippet {
  title: string;
  hint?: string;
  code: string;
}

const MESSAGE = { to: 'ada@example.test', from: 'shop@example.test', subject: 'Hello', html: '<p>It works.</p>' };

export function snippets({ base_url, smtp, command_flags }: Server): Snippet[] {
  const { to, from, subject, html } = MESSAGE;
  const found: Snippet[] = [
    {
      title: 'Command line',
      code: `svc emails send --to ${to} --from ${from} --subject ${subject} --html '${html}'${command_flags}`,
    },
    {
      title: 'curl',
      hint: 'The first line sets SVC_API_KEY and SVC_BASE_URL.',
      code: [
        `eval "$(svc dev env${command_flags})"`,
        `curl ${base_url}/emails -H "Authorization: Bearer $SVC_API_KEY" \\`,
        `  -H 'Content-Type: application/json' -d '${JSON.stringify(MESSAGE)}'`,
      ].join('\n'),
    },
  ];
  if (!smtp) return found;
  const { host, port } = smtp;
  found.push(
    {
      title: 'SMTP settings',
      hint: 'No login and no TLS are needed.',
      code: `Host: ${host}\nPort: ${port}`,
    },
    {
      title: 'Nodemailer',
      code: [
        "import { createTransport } from 'nodemailer';",
        '',
        `const transport = createTransport({ host: '${host}', port: ${port} });`,
        'await transport.sendMail({',
        ...Object.entries(MESSAGE).map(([name, value]) => `  ${name}: '${value}',`),
        '});',
      ].join('\n'),
    },
  );
  return found;
}

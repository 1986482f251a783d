/** Describes the environment variables that svc reads or sets. */
export const environment: Record<string, string> = {
  SVC_BASE_URL: 'Address of the service, ending in /v1. Overridden by `--base-url`; ignored with `--profile`.',
  SVC_API_KEY: 'API key. Overridden by `--api-key`; ignored with `--profile`.',
  SVC_PROFILE: 'Profile to use. Overridden by `--profile`.',
  SVC_DATA_DIR: 'Data directory of the local server. Overridden by `--data-dir`.',
  SVC_TRUST_DATA_DIR:
    'Set to 1 to use the data directory even if svc did not create it or others can write to it, like `--trust-data-dir`.',
  SVC_CONFIG_DIR: 'Directory for the profiles file (default: the user’s configuration directory).',
  SVC_WEBHOOK_SECRET: 'Signing secret for new webhooks and for verifying signatures. Overridden by `--secret`.',
  SVC_INBOX_URL: 'URL of the web inbox. Set by `svc dev env` and `svc dev exec`.',
  SVC_INBOX_PASSWORD: 'Password of the web inbox for other machines. Overridden by `--inbox-password`.',
  SVC_DATABASE_URL: 'PostgreSQL database of `svc serve`. Overridden by `--database`.',
  SVC_SMTP_HOST: 'SMTP host for applications and `svc sendmail`. Set by `svc dev env` and `svc dev exec`.',
  SVC_SMTP_PORT: 'SMTP port for applications and `svc sendmail`. Set by `svc dev env` and `svc dev exec`.',
  SVC_SMTP_TLS_PORT:
    'SMTP port with TLS from the start. Set by `svc dev env` and `svc dev exec` for a server with one.',
  SVC_CA_FILE:
    'File with the certificate of the local CA. Set by `svc dev env` and `svc dev exec` for a server with TLS.',
  SVC_SMTP_USER: 'SMTP user name for applications and `svc sendmail`. Set by the test kit for a workspace.',
  SVC_SMTP_PASSWORD: 'SMTP password for applications and `svc sendmail`. Set by the test kit for a workspace.',
  SVC_MAILPIT: 'Set to 1 to serve the API of Mailpit too, like `--mailpit`.',
  SVC_RELAY: 'SMTP server to release emails to. Overridden by `--relay`.',
  SVC_RELAY_PASSWORD: 'Password of the user of that server. Overridden by `--relay-password-file`.',
  SVC_CHECK_RESPONSES:
    'Set to 1 to validate every response of the local server against the contract. For svc’s own tests.',
  SVC_SINCE:
    'Oldest email that `svc emails wait` and `svc emails assert` consider. Set by `svc dev exec`. Overridden by `--since`.',
  SVC_BROWSER: 'Path of the browser that takes pictures of emails (default: an installed Chrome, Chromium or Edge).',
  SVC_FONTS: 'Directory of fonts, the only ones that the browser uses for pictures. On Linux only.',
  SVC_BROWSER_SANDBOX: 'Set to 0 to start that browser without its own sandbox, like `--no-sandbox`.',
  HTTP_PROXY: 'Proxy for http URLs of other machines. The lower-case name works too.',
  HTTPS_PROXY: 'Proxy for https URLs. The lower-case name works too.',
  NO_PROXY: 'Hosts to connect to without a proxy. The lower-case name works too.',
  NODE_DISABLE_COMPILE_CACHE:
    'If set, svc does not keep compiled code in the user’s cache directory; every start takes longer.',
  CI: 'If set, svc shows no prompts and no live views, even on a terminal.',
  NO_COLOR: 'If set, disables colors.',
  FORCE_COLOR: 'If set, enables colors even without a terminal; 0 disables them. Overrides NO_COLOR.',
};

/** The environment variables that svc reads or sets, each with what it is. */
export const environment: Record<string, string> = {
  SVC_BASE_URL: 'Address of the service, ending with /v1. `--base-url` wins; `--profile` leaves it aside.',
  SVC_API_KEY: 'API key. `--api-key` wins; `--profile` leaves it aside.',
  SVC_PROFILE: 'Name of the profile to use. `--profile` wins.',
  SVC_DATA_DIR: 'Data directory of the local server. `--data-dir` wins.',
  SVC_TRUST_DATA_DIR:
    '1 uses the data directory even if svc did not create it or others can write to it, as `--trust-data-dir` does.',
  SVC_CONFIG_DIR: 'Directory of the file that holds profiles, in place of the user’s own.',
  SVC_WEBHOOK_SECRET: 'Signs a webhook that is made, and verifies a signature. `--secret` wins.',
  SVC_SMTP_HOST: 'Set by `svc dev env` and `svc dev exec`, for applications.',
  SVC_SMTP_PORT: 'Set by `svc dev env` and `svc dev exec`, for applications.',
  SVC_CHECK_RESPONSES: '1 holds every response of the local server against the contract: for svc’s own tests.',
  HTTP_PROXY: 'Proxy for http addresses that are not of this machine; in lower case too.',
  HTTPS_PROXY: 'Proxy for https addresses; in lower case too.',
  NO_PROXY: 'Hosts to reach without a proxy; in lower case too.',
  NODE_DISABLE_COMPILE_CACHE:
    'When set, compiled code is not kept in the user’s cache directory, and every start takes longer.',
  CI: 'When set, nothing is asked and no live view is shown, even on a terminal.',
  NO_COLOR: 'When set, there are no colours.',
  FORCE_COLOR: 'When set, there are colours even without a terminal; 0 for none. Wins over NO_COLOR.',
};

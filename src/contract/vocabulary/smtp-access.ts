/** The modes of STARTTLS and of logins over SMTP, as flags of `svc dev` name them. */

export const starttlsModes = ['offered', 'required'] as const;
export type StarttlsMode = (typeof starttlsModes)[number];

export const loginModes = ['any', 'required', 'off'] as const;
export type LoginMode = (typeof loginModes)[number];

/** A captured email that was sent through an SMTP server, or could not be sent. */
export interface Release {
  releasedAt: number;
  /** Host and port of the SMTP server. */
  relay: string;
  mailFrom: string;
  recipients: string[];
  /** The server's reply; null without one. */
  reply: string | null;
  /** Why nothing was sent; null if it was. */
  error: string | null;
  /** Recipients that the server refused. */
  rejected: { address: string; reply: string }[];
}

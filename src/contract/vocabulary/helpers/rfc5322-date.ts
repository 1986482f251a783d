/** Formats an instant as the Date of a message, in UTC. RFC 5322 section 3.3. */
export function rfc5322Date(instant: number): string {
  return new Date(instant).toUTCString().replace(/GMT$/, '+0000');
}

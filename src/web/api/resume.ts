/** The item of the session storage with the ticket that continues the session after a reload. */
export const RESUME = 'svc-inbox-resume';

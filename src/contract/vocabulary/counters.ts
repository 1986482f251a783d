/** The counters of analytics. Each is the number of events of its type. Specification: Analytics. */
export const counterNames = ['sent', 'delivered', 'bounced', 'complained', 'opened', 'clicked'] as const;
export type CounterName = (typeof counterNames)[number];

export const groupings = ['day', 'week', 'month'] as const;
export type Grouping = (typeof groupings)[number];

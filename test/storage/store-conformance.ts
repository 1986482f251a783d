import { describe } from 'vitest';
import { contentSuite } from './conformance/contents.js';
import { emailSuite } from './conformance/emails.js';
import { eventSuite } from './conformance/events.js';
import type { StoreFixture } from './conformance/fixture.js';
import { jobSuite } from './conformance/jobs.js';
import { recordSuite } from './conformance/records.js';
import { sharingSuite } from './conformance/sharing.js';
import { stateSuite } from './conformance/state.js';
import { writeSuite } from './conformance/writes.js';

/** What every store must do: src/core/ports.ts, as tests. A new store runs it with a fixture of its own. */
export function storeConformance(name: string, make: () => StoreFixture): void {
  describe(name, () => {
    describe('writes', () => writeSuite(make));
    describe('emails', () => emailSuite(make));
    describe('large contents', () => contentSuite(make));
    describe('events', () => eventSuite(make));
    describe('jobs', () => jobSuite(make));
    describe('records', () => recordSuite(make));
    describe('whole states', () => stateSuite(make));
    const probe = make();
    const { shared } = probe;
    probe.remove();
    if (shared) describe('two stores on the same data', () => sharingSuite(make));
  });
}

import { describe } from 'vitest';
import { archiveSuite } from './conformance/archives.js';
import { contentSuite } from './conformance/contents.js';
import { deletionSuite } from './conformance/deletion.js';
import { emailSuite } from './conformance/emails.js';
import { eventSuite } from './conformance/events.js';
import type { MakeFixture } from './conformance/fixture.js';
import { jobSuite } from './conformance/jobs.js';
import { pruningSuite } from './conformance/pruning.js';
import { recordSuite } from './conformance/records.js';
import { searchSuite } from './conformance/search.js';
import { sharingSuite } from './conformance/sharing.js';
import { stateSuite } from './conformance/state.js';
import { writeSuite } from './conformance/writes.js';

/** What a kind of store can do. */
interface Abilities {
  /** Whether several stores can be open on the same data, as two processes have them. */
  shared: boolean;
}

/** Tests what every store must do: src/core/ports.ts. A new store runs it with its own fixture. */
export function storeConformance(name: string, { shared }: Abilities, make: MakeFixture): void {
  describe(name, () => {
    describe('writes', () => writeSuite(make));
    describe('emails', () => emailSuite(make));
    describe('deletion of emails', () => deletionSuite(make));
    describe('searches', () => searchSuite(make));
    describe('large contents', () => contentSuite(make));
    describe('events', () => eventSuite(make));
    describe('what retention removes', () => pruningSuite(make));
    describe('jobs', () => jobSuite(make));
    describe('records', () => recordSuite(make));
    describe('whole states', () => stateSuite(make));
    describe('archives', () => archiveSuite(make));
    if (shared) describe('two stores on the same data', () => sharingSuite(make));
  });
}

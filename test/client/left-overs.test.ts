import { expect, it } from 'vitest';
import { checkNoPlaceholders } from '../../src/client/checks/content.js';

const passes = (text: string) =>
  checkNoPlaceholders({ subject: '', text, html: '', links: [] } as unknown as Parameters<
    typeof checkNoPlaceholders
  >[0]).passed;

it.each([
  'Hello null,',
  'Your order null has been shipped.',
  'Dear None,',
  'Order #None',
  'Hello [[name]],',
  'Hello [[ user.name ]],',
  'Dear %recipient.name%,',
  'Dear %FIRST_NAME%,',
  'Hello {!! $name !!},',
])('%s has a placeholder', (text) => expect(passes(text)).toBe(false));

it.each([
  'The contract is null and void.',
  'The function returns null.',
  'A null pointer is the cause.',
  'None of them came. Allergies: None',
  'Hi, none of this is new.',
  'See [[1]] and [the list].',
  '20% off, 30% more, 100%sure',
  'https://example.test/?q=%C3%A4%20b',
  'nullable, annulled, null-safe',
])('%s has none', (text) => expect(passes(text)).toBe(true));

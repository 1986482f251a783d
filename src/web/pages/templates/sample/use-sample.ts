import { jsonLanguage } from '@codemirror/lang-json';
import { useMemo, useState } from 'react';
import digest from '../../../../../templates/digest/sample.json' with { type: 'json' };
import invitation from '../../../../../templates/invitation/sample.json' with { type: 'json' };
import magicLink from '../../../../../templates/magic-link/sample.json' with { type: 'json' };
import passwordReset from '../../../../../templates/password-reset/sample.json' with { type: 'json' };
import receipt from '../../../../../templates/receipt/sample.json' with { type: 'json' };
import securityAlert from '../../../../../templates/security-alert/sample.json' with { type: 'json' };
import verifyAddress from '../../../../../templates/verify-address/sample.json' with { type: 'json' };
import welcome from '../../../../../templates/welcome/sample.json' with { type: 'json' };
import { placeholdersIn } from '../../../../contract/vocabulary/placeholders.js';
import { readStored, removeStored, writeStored } from '../../../common/stored.js';
import type { Content } from '../drafts.js';

interface Range {
  from: number;
  to: number;
}

/** The values of a template's variables for previews and tests, kept in this browser. */
export interface Sample {
  /** The values as JSON. */
  text: string;
  /** Empty while the JSON is invalid. */
  values: Readonly<Record<string, unknown>>;
  /** What is wrong with the JSON, and where. */
  error: { message: string; range: Range | undefined } | undefined;
  setText(text: string): void;
  /** Sets a value, or removes it with undefined. */
  set(name: string, value: string | undefined): void;
  add(values: Readonly<Record<string, string>>): void;
}

const PREFIX = 'svc-template-sample ';

/** A template that was made from a starter begins with the values of the starter. */
export function useSample(id: string, saved: Content): Sample {
  const [text, setState] = useState(() => readStored(PREFIX + id) ?? textOf(starterSampleOf(saved)));
  return useMemo(() => {
    const { values, error } = parse(text);
    const setText = (next: string) => {
      setState(next);
      writeStored(PREFIX + id, next);
    };
    return {
      text,
      values,
      error,
      setText,
      set(name, value) {
        const { [name]: _, ...others } = values;
        setText(textOf(value === undefined ? others : { ...others, [name]: value }));
      },
      add(added) {
        if (Object.keys(added).length > 0) setText(textOf({ ...values, ...added }));
      },
    };
  }, [id, text]);
}

/** Returns values as JSON, in the order of their names, so that typing a new one does not move the others. */
function textOf(values: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(values).sort(([one], [other]) => one.localeCompare(other));
  return JSON.stringify(Object.fromEntries(sorted), null, 2);
}

export function removeSample(id: string): void {
  removeStored(PREFIX + id);
}

function parse(text: string): Pick<Sample, 'values' | 'error'> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { values: {}, error: { message: 'invalid JSON', range: firstError(text) } };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
    return { values: value as Record<string, unknown>, error: undefined };
  }
  const range = { from: 0, to: text.length };
  return { values: {}, error: { message: 'must be a JSON object, such as {"name": "Ada"}', range } };
}

/** Returns where JSON is invalid. Errors of `JSON.parse` have no position in some browsers. */
function firstError(text: string): Range | undefined {
  let found: Range | undefined;
  jsonLanguage.parser.parse(text).iterate({
    enter({ type, from, to }) {
      if (type.isError) found ??= { from, to };
    },
  });
  return found;
}

/** By the name of the starter template. */
const samples = new Map<string, Readonly<Record<string, unknown>>>(
  Object.entries({
    digest,
    invitation,
    'magic-link': magicLink,
    'password-reset': passwordReset,
    receipt,
    'security-alert': securityAlert,
    'verify-address': verifyAddress,
    welcome,
  }),
);

/**
 * Returns values for a template that has the name and the variables of a starter, which comes with them; otherwise none.
 * The API keeps no values with a template.
 */
function starterSampleOf({ name, subject, html, text }: Content): Readonly<Record<string, unknown>> {
  const sample = samples.get(name) ?? {};
  const used = new Set([subject, html, text].flatMap(placeholdersIn).map((each) => each.name));
  return Object.keys(sample).every((variable) => used.has(variable)) ? sample : {};
}

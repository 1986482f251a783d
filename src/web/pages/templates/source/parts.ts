import { useSearchParams } from 'wouter';

/** What the editor shows: a part of the template, or its sample data as a form or as JSON. */
export const parts = [
  { name: 'html', title: 'HTML' },
  { name: 'text', title: 'Text' },
  { name: 'data', title: 'Sample data' },
  { name: 'json', title: 'Data as JSON' },
] as const;
export type Part = (typeof parts)[number]['name'];

/** Returns the part in the address, and a function that opens another. */
export function usePart(): [Part, (part: Part) => void] {
  const [parameters, setParameters] = useSearchParams();
  const part = parts.find(({ name }) => name === parameters.get('part'))?.name ?? 'html';
  return [part, (next) => setParameters(next === 'html' ? {} : { part: next }, { replace: true })];
}

import { useQuery } from '@tanstack/react-query';
import type { ClientView } from '../../contract/control/emails/check.js';
import type {
  PreviewChecks,
  PreviewChoice,
  PreviewFolder,
  SentPreview,
  TemplatePreview,
} from '../../contract/control/template-preview.js';
import { PREVIEW_PATH } from '../../contract/vocabulary/inbox.js';
import type { ClientChoice } from '../components/html-preview/client-menu.js';

/** Reads what the page shows. Every change of a file makes it be read again. */

/** Why the server refused a request, such as an invalid file. */
export class PreviewError extends Error {
  constructor(
    message: string,
    readonly hint: string,
  ) {
    super(message);
  }
}

async function call<Result>(path: string, init?: RequestInit): Promise<Result> {
  const response = await fetch(PREVIEW_PATH + path, init).catch(() => {
    throw new PreviewError('"svc templates dev" has stopped.', 'Start it again. This page then continues.');
  });
  const body = await response.json();
  if (response.ok) return body as Result;
  throw new PreviewError(body.message, body.hint);
}

const queryOf = ({ template, sample }: PreviewChoice) => new URLSearchParams({ template, sample });

export function useFolder() {
  return useQuery({ queryKey: ['folder'], queryFn: () => call<PreviewFolder>('/folder') });
}

export function useRendered(choice: PreviewChoice) {
  return useQuery({
    queryKey: ['rendered', choice],
    queryFn: () => call<TemplatePreview>(`/rendered?${queryOf(choice)}`),
  });
}

export function useChecks(choice: PreviewChoice) {
  return useQuery({
    queryKey: ['checks', choice],
    queryFn: () => call<PreviewChecks>(`/checks?${queryOf(choice)}`),
  });
}

export function useClientView(choice: PreviewChoice, { client, images }: ClientChoice, isDark: boolean) {
  const query = { ...choice, client, images, color_scheme: isDark ? 'dark' : 'light' };
  return useQuery({
    queryKey: ['view', query],
    queryFn: () => call<ClientView>(`/view?${new URLSearchParams(query)}`),
  });
}

export function sendTemplate(choice: PreviewChoice, to: string): Promise<SentPreview> {
  const headers = { 'content-type': 'application/json' };
  return call('/send', { method: 'POST', headers, body: JSON.stringify({ ...choice, to }) });
}

/** Returns the addresses of the HTML for a frame. */
export function frameUrls(choice: PreviewChoice) {
  const html = `${PREVIEW_PATH}/html?${queryOf(choice)}`;
  return { html, html_remote: `${html}&remote=yes` };
}

import type { RenderedTemplate } from '../service/templates.js';
import type { EmailChecks } from './emails/check.js';

/** What the page of `svc templates dev` reads. Only that page uses it, so the API does not have it. */

export interface PreviewFolder {
  /** The path of the folder. */
  directory: string;
  templates: PreviewListItem[];
}

interface PreviewListItem {
  /** The name of the template's directory, which addresses contain. */
  id: string;
  /** The files with sample data: `sample.json`, then `sample.NAME.json` by name. Empty without any. */
  samples: string[];
}

/** A template with one file of sample data. */
export interface PreviewChoice {
  /** The `id` of the template. */
  template: string;
  /** The file with the data; empty for none. */
  sample: string;
}

/** A template rendered with sample data. A placeholder without a value is left as it is written. */
export interface TemplatePreview extends RenderedTemplate {
  /** The name in template.json. */
  name: string;
  /** A digest of the HTML. */
  digest: string;
  /** Bytes of the HTML in UTF-8. */
  htmlBytes: number;
  /** Names of placeholders without a value. */
  missing: string[];
  /** Names of values without a placeholder. */
  unused: string[];
}

export type PreviewChecks = Omit<EmailChecks, 'id'>;

export interface SentPreview {
  /** The address of the email in the web inbox. */
  url: string;
}

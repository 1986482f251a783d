import type { Template } from '../../../contract/service/templates.js';

export type Content = Pick<Template, 'name' | 'subject' | 'html' | 'text'>;

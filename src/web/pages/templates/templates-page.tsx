import { useParams } from 'wouter';
import { loadable } from '../../components/loadable.js';
import { TemplateList } from './list/template-list.js';

const EditorPage = loadable(() => import('./editor/editor-page.js').then((file) => file.EditorPage));

/** The list of templates, or the editor of one. */
export function TemplatesPage() {
  const { id } = useParams<{ id?: string }>();
  if (id === undefined) return <TemplateList />;
  return <EditorPage key={id} id={id} />;
}

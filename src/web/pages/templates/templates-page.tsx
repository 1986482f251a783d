import { lazy, Suspense } from 'react';
import { useParams } from 'wouter';
import { Loading } from '../../components/loading.js';
import { TemplateList } from './list/template-list.js';

const EditorPage = lazy(() => import('./editor/editor-page.js').then(({ EditorPage }) => ({ default: EditorPage })));

/** The list of templates, or the editor of one. */
export function TemplatesPage() {
  const { id } = useParams<{ id?: string }>();
  if (id === undefined) return <TemplateList />;
  return (
    <Suspense fallback={<Loading />}>
      <EditorPage key={id} id={id} />
    </Suspense>
  );
}

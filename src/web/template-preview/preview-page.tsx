import { Send } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link, Router, useLocation } from 'wouter';
import { useHashLocation } from 'wouter/use-hash-location';
import type { PreviewChoice, PreviewFolder, TemplatePreview } from '../../contract/control/template-preview.js';
import { GMAIL_HTML_BYTES } from '../../contract/vocabulary/limits.js';
import { Button } from '../components/button.js';
import { plural } from '../components/format.js';
import { ClientDifferences } from '../components/html-preview/client-differences.js';
import type { ClientChoice } from '../components/html-preview/client-menu.js';
import { HtmlFrame } from '../components/html-preview/html-frame.js';
import { HtmlPreview } from '../components/html-preview/html-preview.js';
import { EmptyState, Loading, ProblemText } from '../components/states.js';
import { CheckResults } from '../pages/emails/tabs/checks-tab.js';
import { frameUrls, PreviewError, sendTemplate, useChecks, useClientView, useFolder, useRendered } from './calls.js';
import styles from './preview-page.module.css';

const TABS = ['Preview', 'Text', 'Checks', 'All samples'] as const;
type Tab = (typeof TABS)[number];

/** All templates of the folder, and the chosen one. Its address has the template and the sample. */
export function PreviewPage() {
  return (
    <Router hook={useHashLocation}>
      <Folder />
    </Router>
  );
}

function Folder() {
  const { data, error } = useFolder();
  const [path] = useLocation();
  const [id = '', sample] = path.split('/').slice(1).map(decoded);
  if (!data) return error ? <Failure error={error} /> : <Loading />;
  const { templates } = data;
  const chosen = id === '' ? templates[0] : templates.find((each) => each.id === id);
  return (
    <div className={styles.page}>
      <nav className={styles.list} aria-label="Templates">
        <h1>Templates</h1>
        <p className={styles.folder}>{data.directory}</p>
        <ul>
          {templates.map((each) => (
            <li key={each.id}>
              <Link href={pathOf(each.id)} aria-current={each === chosen ? 'page' : undefined}>
                {each.id}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <main className={styles.main}>
        {error && <Failure error={error} />}
        {chosen ? (
          <Template key={chosen.id} item={chosen} sample={sample ?? chosen.samples[0] ?? ''} />
        ) : (
          <EmptyState title={id === '' ? 'No templates' : `No template ${id}`}>
            <p>Create one with "svc templates init". This page shows it at once.</p>
          </EmptyState>
        )}
      </main>
    </div>
  );
}

/** Returns a part of a path without percent encoding; the part itself if that is invalid. */
function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

function pathOf(...parts: string[]): string {
  return `/${parts.map(encodeURIComponent).join('/')}`;
}

type Item = PreviewFolder['templates'][number];

function Template({ item: { id, samples }, sample }: { item: Item; sample: string }) {
  const [tab, setTab] = useState<Tab>('Preview');
  const [, navigate] = useLocation();
  const choice = { template: id, sample };
  const { data, error } = useRendered(choice);
  return (
    <>
      <header className={styles.header}>
        <h2>{data?.name ?? id}</h2>
        {samples.length > 1 && (
          <select
            aria-label="Sample data"
            value={sample}
            onChange={({ target }) => navigate(pathOf(id, target.value), { replace: true })}
          >
            {samples.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        )}
        <SendForm choice={choice} />
      </header>
      <p className={styles.subject}>
        <span>Subject</span> <bdi>{data?.subject}</bdi>
      </p>
      {error && <Failure error={error} />}
      {data && <Facts rendered={data} hasSample={sample !== ''} />}
      <nav className={styles.tabs} aria-label="Views">
        {TABS.map((each) => (
          <button key={each} type="button" aria-pressed={each === tab} onClick={() => setTab(each)}>
            {each}
          </button>
        ))}
      </nav>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls needs the keyboard */}
      <section className={styles.panel} aria-label={tab} tabIndex={0}>
        {data && tab === 'Preview' && (
          <HtmlPreview
            title="HTML with the sample data"
            html={data.html}
            urls={frameUrls(choice)}
            content={`${id} ${sample} ${data.digest}`}
            differences={(view, isDark) => <Differences choice={choice} view={view} isDark={isDark} />}
          />
        )}
        {data && tab === 'Text' && <Text text={data.text} />}
        {tab === 'Checks' && <Checks choice={choice} />}
        {tab === 'All samples' && <Matrix id={id} samples={samples} />}
      </section>
    </>
  );
}

function Failure({ error }: { error: Error }) {
  return (
    <div className={styles.failure}>
      <ProblemText message={error.message} hint={error instanceof PreviewError ? error.hint : undefined} />
    </div>
  );
}

/** The size of the HTML, and what its placeholders and the sample data lack. */
function Facts({ rendered, hasSample }: { rendered: TemplatePreview; hasSample: boolean }) {
  const { htmlBytes, missing, unused } = rendered;
  return (
    <ul className={styles.facts}>
      <li data-bad={htmlBytes > GMAIL_HTML_BYTES}>
        {(htmlBytes / 1024).toFixed(1)} KiB of HTML{htmlBytes > GMAIL_HTML_BYTES && '. Gmail shows only the beginning'}
      </li>
      {missing.length > 0 && (
        <li data-bad>
          {plural(missing.length, 'placeholder')} without a value: {missing.join(', ')}
        </li>
      )}
      {unused.length > 0 && <li>Not used by the template: {unused.join(', ')}</li>}
      {!hasSample && <li>No sample.json</li>}
    </ul>
  );
}

function Text({ text }: { text: string }) {
  if (text === '') return <p className={styles.note}>There is no body.txt, so an email has only HTML.</p>;
  return (
    <pre className={styles.text} dir="auto">
      {text}
    </pre>
  );
}

function Differences({ choice, view, isDark }: { choice: PreviewChoice; view: ClientChoice; isDark: boolean }) {
  const { data, error } = useClientView(choice, view, isDark);
  if (data) return <ClientDifferences view={data} />;
  return error && <Failure error={error} />;
}

function Checks({ choice }: { choice: PreviewChoice }) {
  const { data, error } = useChecks(choice);
  if (data) return <CheckResults results={data} />;
  return error ? <Failure error={error} /> : <Loading label="Checking" />;
}

/** The template with each sample, in light and in dark mode, in the width of a phone. */
function Matrix({ id, samples }: { id: string; samples: string[] }) {
  const names = samples.length > 0 ? samples : [''];
  return (
    <ul className={styles.matrix}>
      {names.map((sample) => (
        <li key={sample}>
          {[false, true].map((isDark) => (
            <Cell key={String(isDark)} choice={{ template: id, sample }} isDark={isDark} />
          ))}
        </li>
      ))}
    </ul>
  );
}

function Cell({ choice, isDark }: { choice: PreviewChoice; isDark: boolean }) {
  const { data, error } = useRendered(choice);
  const { template, sample } = choice;
  const title = `${sample || 'without sample data'}, ${isDark ? 'dark' : 'light'}`;
  return (
    <div className={styles.sample}>
      <h3>
        <Link href={pathOf(template, sample)}>{title}</Link>
      </h3>
      {error && <Failure error={error} />}
      {data && (
        <>
          <p className={styles.note}>
            {data.missing.length > 0 ? `Without a value: ${data.missing.join(', ')}` : data.subject}
          </p>
          <div className={styles.cell}>
            <HtmlFrame
              title={title}
              url={frameUrls(choice).html}
              content={`${sample} ${data.digest}`}
              isDark={isDark}
              style={{ width: 375, height: '100%', zoom: 0.8 }}
            />
          </div>
        </>
      )}
    </div>
  );
}

function SendForm({ choice }: { choice: PreviewChoice }) {
  const [result, setResult] = useState<{ url?: string; error?: Error; isSending?: boolean }>({});
  const send = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const to = String(new FormData(event.currentTarget).get('to'));
    setResult({ isSending: true });
    await sendTemplate(choice, to).then(
      ({ url }) => setResult({ url }),
      (error: Error) => setResult({ error }),
    );
  };
  return (
    <form className={styles.send} onSubmit={(event) => void send(event)}>
      <label>
        To <input name="to" defaultValue="ada@example.test" required spellCheck={false} />
      </label>
      <Button type="submit" icon={Send} disabled={result.isSending}>
        Send to the local server
      </Button>
      {result.url !== undefined && (
        <a href={result.url} target="_blank" rel="noopener noreferrer">
          Sent. Open it in the inbox
        </a>
      )}
      {result.error && <Failure error={result.error} />}
    </form>
  );
}

import { Plus, X } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Link } from 'wouter';
import { TAG_CHARACTERS } from '../../../../contract/vocabulary/limits.js';
import { formatCondition } from '../../../../contract/vocabulary/query/format-query.js';
import { useControlChange } from '../../../api/calls.js';
import { Tag } from '../../../components/badge.js';
import { IconButton } from '../../../components/button.js';
import { Problem } from '../../../components/problem.js';
import type { EmailDetails } from '../types.js';
import styles from './tags.module.css';

/** The tags of an email, each with a link to all emails with it. Those that were added by hand can be removed. */
export function Tags({ email: { id, tags, added_tags } }: { email: EmailDetails }) {
  const [isOpen, setOpen] = useState(false);
  const change = useControlChange('emails.mark');
  const add = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const tag = String(new FormData(event.currentTarget).get('tag')).trim();
    if (tag === '') return setOpen(false);
    change.mutate({ body: { ids: [id], add_tags: [tag] } }, { onSuccess: () => setOpen(false) });
  };
  return (
    <>
      {tags.map((tag) => (
        <TagLink key={tag} tag={tag} />
      ))}
      {added_tags.map((tag) => (
        <span key={tag} className={styles.added}>
          <TagLink tag={tag} />
          <IconButton
            label={`Remove the tag ${tag}`}
            icon={X}
            className={styles.small}
            onClick={() => change.mutate({ body: { ids: [id], remove_tags: [tag] } })}
          />
        </span>
      ))}
      {isOpen ? (
        <form onSubmit={add} className={styles.form}>
          <input
            name="tag"
            aria-label="Tag to add"
            placeholder="Tag, then Enter"
            maxLength={TAG_CHARACTERS}
            autoComplete="off"
            spellCheck={false}
            // biome-ignore lint/a11y/noAutofocus: the user has just asked for this field
            autoFocus
            onKeyDown={(event) => {
              if (event.key !== 'Escape') return;
              event.stopPropagation();
              setOpen(false);
            }}
          />
        </form>
      ) : (
        <IconButton label="Add a tag" icon={Plus} className={styles.small} onClick={() => setOpen(true)} />
      )}
      {change.error && <Problem error={change.error} />}
    </>
  );
}

function TagLink({ tag }: { tag: string }) {
  const search = formatCondition('tag', tag);
  return (
    <Link
      className={styles.link ?? ''}
      href={`/emails?search=${encodeURIComponent(search)}`}
      title={`Search ${search}`}
    >
      <Tag>{tag}</Tag>
    </Link>
  );
}

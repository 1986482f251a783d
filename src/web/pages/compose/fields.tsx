import { CheckField, TextAreaField, TextField } from '../../components/form/field.js';
import styles from './compose-page.module.css';
import type { DraftState } from './use-draft.js';

/** Groups of fields of an email. */

type TextName = 'from' | 'to' | 'cc' | 'bcc' | 'reply_to' | 'html' | 'text' | 'tags' | 'scheduled_at';

/** Returns the properties of a field of the draft. */
function propsOf({ draft, change }: DraftState, name: TextName) {
  return {
    name,
    value: draft[name],
    onChange: ({ target }: { target: { value: string } }) => change({ [name]: target.value }),
  };
}

export function Addresses({ state }: { state: DraftState }) {
  return (
    <>
      <div className={styles.columns}>
        <TextField label="From" {...propsOf(state, 'from')} placeholder="Shop <shop@example.test>" />
        <TextField label="To" {...propsOf(state, 'to')} placeholder="ada@example.test, bob@example.test" autoFocus />
      </div>
      <div className={styles.columns}>
        <TextField label="Cc" {...propsOf(state, 'cc')} />
        <TextField label="Bcc" {...propsOf(state, 'bcc')} />
        <TextField label="Reply to" {...propsOf(state, 'reply_to')} />
      </div>
    </>
  );
}

export function Content({ state }: { state: DraftState }) {
  return (
    <>
      <TextAreaField label="HTML" {...propsOf(state, 'html')} rows={8} />
      <TextAreaField label="Text" {...propsOf(state, 'text')} rows={4} />
    </>
  );
}

/** Fields that only a request of the API has. */
export function ApiFields({ state }: { state: DraftState }) {
  const { draft, change } = state;
  return (
    <>
      <div className={styles.columns}>
        <TextField label="Tags" {...propsOf(state, 'tags')} hint="Separated by commas." />
        <TextField
          label="Send at"
          {...propsOf(state, 'scheduled_at')}
          placeholder="Now"
          hint="A duration such as 2h, or a time such as 2027-01-31T09:00:00Z, on the service’s clock."
        />
      </div>
      <CheckField
        label="Track opens"
        checked={draft.track_opens}
        onChange={({ target }) => change({ track_opens: target.checked })}
      />
      <CheckField
        label="Track clicks"
        checked={draft.track_clicks}
        onChange={({ target }) => change({ track_clicks: target.checked })}
      />
    </>
  );
}

import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Rule } from '../../../client/operations.js';
import { describeRule, usesOf } from '../../../client/rule-texts.js';
import { MAGIC_DOMAIN, type Outcome, outcomes } from '../../../contract/vocabulary/outcomes.js';
import { useControl, useControlChange } from '../../api/calls.js';
import { Button, IconButton } from '../../components/button.js';
import { CopyButton, CopyCommand } from '../../components/copy-text.js';
import { SelectField, TextField } from '../../components/form/field.js';
import { FormDialog } from '../../components/form/form.js';
import { OutcomeDetails } from '../../components/form/outcome-details.js';
import { Page, Section } from '../../components/page/page.js';
import { EmptyState, Loaded, Problem } from '../../components/states.js';
import { Table } from '../../components/table.js';
import tables from '../../components/table.module.css';
import { Time } from '../../components/time.js';
import { Faults } from './faults.js';

/** Rules for the outcome of emails to matching recipients. */
export function RulesPage() {
  const [isAdding, setAdding] = useState(false);
  return (
    <Page
      title="Rules"
      about="A rule simulates an outcome, such as a bounce, for each email to a matching recipient. The newest rule that matches applies."
      actions={
        <Button kind="primary" icon={Plus} onClick={() => setAdding(true)}>
          Add a rule
        </Button>
      }
    >
      <Section title="Rules in order of precedence">
        <Rules />
      </Section>
      <Faults />
      <TestAddresses />
      {isAdding && <RuleDialog onClose={() => setAdding(false)} />}
    </Page>
  );
}

function Rules() {
  const rules = useControl('rules.list', {});
  return <Loaded query={rules}>{({ rules }) => (rules.length > 0 ? <RuleTable rules={rules} /> : <NoRules />)}</Loaded>;
}

function RuleTable({ rules }: { rules: readonly Rule[] }) {
  const removing = useControlChange('rules.delete');
  return (
    <>
      {removing.error && <Problem error={removing.error} />}
      <Table label="Rules" wide columns={['Recipients', 'Outcome', 'Details', 'Used', 'Added', '']}>
        {rules.map((rule) => (
          <tr key={rule.id}>
            <td>
              <code>
                <bdi>{rule.to}</bdi>
              </code>
            </td>
            <td className={tables.keep}>{rule.outcome}</td>
            <td>{describeRule(rule)}</td>
            <td className={tables.keep} data-label="Used:">
              {usesOf(rule)}
            </td>
            <td className={tables.keep}>
              <Time at={rule.created_at} />
            </td>
            <td className={tables.last}>
              <IconButton
                label={`Remove the rule ${nameOf(rule)}`}
                icon={Trash2}
                onClick={() => removing.isPending || removing.mutate({ params: { id: rule.id } })}
              />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );
}

function nameOf({ to, outcome }: Rule): string {
  return `${outcome} for ${to}`;
}

function NoRules() {
  return (
    <EmptyState title="No rules">
      <p>Every email is delivered, unless its recipient is a test address. Add a rule here, or with a command:</p>
      <CopyCommand
        text="svc dev rules add --to '*@corp.test' --outcome bounced --times 2"
        label="Copy the command that bounces two emails to a domain"
      />
      <CopyCommand
        text="svc dev rules add --to '*' --outcome deferred --delay 30s"
        label="Copy the command that delays every delivery"
      />
    </EmptyState>
  );
}

type NewRule = Parameters<ReturnType<typeof useControlChange<'rules.create'>>['mutateAsync']>[0]['body'];

/** Asks for the fields of a new rule. */
export function RuleDialog({ onClose }: { onClose(): void }) {
  const [outcome, setOutcome] = useState<Outcome>('bounced');
  const create = useControlChange('rules.create');
  return (
    <FormDialog
      title="Add a rule"
      action="Add rule"
      onClose={onClose}
      onSubmit={(fields) => create.mutateAsync({ body: ruleOf(fields) })}
    >
      <TextField
        label="Recipients"
        name="to"
        placeholder="*@corp.test"
        data-autofocus
        hint="An address or a pattern; * matches any text."
      />
      <SelectField
        label="Outcome"
        name="outcome"
        value={outcome}
        onChange={({ target }) => setOutcome(target.value as Outcome)}
      >
        {outcomes.map((value) => (
          <option key={value}>{value}</option>
        ))}
      </SelectField>
      <OutcomeDetails outcome={outcome} />
      <TextField label="Number of emails" name="times" inputMode="numeric" placeholder="Unlimited" />
    </FormDialog>
  );
}

/** Returns the fields that have a value. The server checks them. */
function ruleOf(fields: FormData): NewRule {
  const filled = [...fields].filter(([, value]) => value !== '');
  const { times, ...rule } = Object.fromEntries(filled) as Record<string, string>;
  return { ...rule, ...(times !== undefined && { times: Number(times) }) } as NewRule;
}

const EFFECTS: Record<Outcome, string> = {
  delivered: 'Delivered',
  bounced: 'Bounces permanently. Another address would be suppressed',
  'soft-bounced': 'Bounces temporarily, as with a full mailbox',
  complained: 'Delivered, then reported as spam. A label is the type: complained+fraud',
  dropped: 'Not sent. A label is the reason: dropped+suppressed',
  opened: 'Delivered, then opened',
  clicked: 'Delivered, then opened, and its first link clicked',
  deferred: 'Delivered five minutes later',
  none: 'Sent, and nothing else',
};

/** The addresses that simulate an outcome without a rule. */
export function TestAddresses() {
  return (
    <Section title="Test addresses">
      <p className={tables.muted}>
        An email to one of these addresses has its outcome, without a rule. An address may have a label, such as{' '}
        <code>bounced+signup@{MAGIC_DOMAIN}</code>.
      </p>
      <Table label="Test addresses" wide columns={['Address', 'Outcome']}>
        {outcomes.map((outcome) => (
          <tr key={outcome}>
            <td className={tables.address}>
              <span className={tables.copied}>
                <code>
                  {outcome}@{MAGIC_DOMAIN}
                </code>
                <CopyButton text={`${outcome}@${MAGIC_DOMAIN}`} label={`Copy ${outcome}@${MAGIC_DOMAIN}`} />
              </span>
            </td>
            <td>{EFFECTS[outcome]}</td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}

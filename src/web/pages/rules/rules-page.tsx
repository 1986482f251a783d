import { Plus, Trash2 } from 'lucide-react';
import { useState } from 'react';
import type { Rule } from '../../../client/operations.js';
import { describeRule, usesOf } from '../../../client/rule-texts.js';
import { useControl, useControlChange } from '../../api/calls.js';
import { Button, IconButton } from '../../components/button.js';
import { CopyCommand } from '../../components/copy-command.js';
import { EmptyState } from '../../components/empty-state.js';
import { Loaded } from '../../components/loaded.js';
import { Page } from '../../components/page/page.js';
import { Section } from '../../components/page/section.js';
import { Problem } from '../../components/problem.js';
import tables from '../../components/table.module.css';
import { Time } from '../../components/time.js';
import { Faults } from './faults.js';
import { RuleDialog } from './rule-dialog.js';
import { TestAddresses } from './test-addresses.js';

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
      <table className={`${tables.table} ${tables.wide}`}>
        <caption className="visually-hidden">Rules</caption>
        <thead>
          <tr>
            <th scope="col">Recipients</th>
            <th scope="col">Outcome</th>
            <th scope="col">Details</th>
            <th scope="col">Used</th>
            <th scope="col">Added</th>
            <td />
          </tr>
        </thead>
        <tbody>
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
        </tbody>
      </table>
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

import { Radio } from '@mantine/core';
import { IconUsersGroup } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { Contact } from '#features/contacts/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { EmptyState, Note } from '#platform/web/components/states.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { listDuplicates, type MergeField, mergeFields, type SharedMailbox } from '../contract.ts';
import { useDecisions } from './decisions.ts';
import classes from './review.module.css';
import { Decision, ReviewList, type TabProps } from './review-list.tsx';

const pageSize = 10;

/** Contacts whose mail ends up in one mailbox: probably one person. */
export function Duplicates({ state, change, mayEdit }: TabProps) {
  const { page } = state;
  const query = useQuery({
    ...queryOptionsFor(listDuplicates, { query: { page, limit: pageSize } }),
    placeholderData: keepPreviousData,
  });
  return (
    <ReviewList
      query={query}
      page={page}
      pageSize={pageSize}
      change={change}
      errorTitle="The duplicates could not be loaded"
      errorHint="Nothing was changed."
      empty={
        <EmptyState
          icon={IconUsersGroup}
          title="No duplicate people to review"
          description="When several addresses lead to the same mailbox, as a.b@gmail.com and ab+news@googlemail.com do, they wait here for your decision."
        />
      }
      // What was chosen among some contacts says nothing about others of the same mailbox.
      keyOf={(group) => group.contacts.map(({ id }) => id).join(' ')}
    >
      {(group) => <Group group={group} mayEdit={mayEdit} />}
    </ReviewList>
  );
}

const fieldLabels: Record<MergeField, string> = {
  name: 'Name',
  source: 'Source',
  date: 'Date',
  notes: 'Notes',
};

/**
 * The contact that a field comes from when nobody chose: the kept one if it has the field, else the
 * first that has.
 */
function usualSource(field: MergeField, contacts: readonly Contact[], keepId: number): number | undefined {
  const kept = contacts.find(({ id }) => id === keepId);
  if (kept?.[field]) return kept.id;
  return contacts.find((contact) => contact[field])?.id;
}

function Group({ group, mayEdit }: { group: SharedMailbox; mayEdit: boolean }) {
  const { mailbox, contacts, isSuppressed } = group;
  const [keepId, setKeepId] = useState(group.keepId);
  const [chosen, setChosen] = useState<Partial<Record<MergeField, number>>>({});
  const decisions = useDecisions();
  const others = contacts.filter(({ id }) => id !== keepId);
  // A field that nobody has needs no line. A field that is the same for all needs no choice.
  const fields = mergeFields.filter((field) => contacts.some((contact) => contact[field]));
  return (
    <Card title={mailbox} hint="All of these lead to this mailbox">
      <div className={classes.merge}>
        {isSuppressed && (
          <Note tone="warning">One of them is suppressed, so the one that stays will be suppressed too.</Note>
        )}
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a table that scrolls sideways must be reachable by keyboard */}
        <section className={classes.compare} aria-label={`Contacts of ${mailbox}`} tabIndex={0}>
          <table>
            <thead>
              <tr>
                <th scope="col">
                  <span className={classes.dim}>Keep</span>
                </th>
                {contacts.map((contact) => (
                  <th key={contact.id} scope="col">
                    <Radio
                      label={contact.address}
                      name={`keep ${mailbox}`}
                      checked={contact.id === keepId}
                      disabled={!mayEdit}
                      onChange={() => setKeepId(contact.id)}
                    />
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              <tr>
                <th scope="row">Status</th>
                {contacts.map(({ id, status }) => (
                  <td key={id}>
                    <StatusBadge status={status} />
                  </td>
                ))}
              </tr>
              {fields.map((field) => {
                const from = chosen[field] ?? usualSource(field, contacts, keepId);
                return (
                  <tr key={field}>
                    <th scope="row">{fieldLabels[field]}</th>
                    {contacts.map((contact) => (
                      <td key={contact.id} className={contact.id === from ? classes.result : classes.dim}>
                        {contact[field] ? (
                          <Radio
                            label={contact[field]}
                            name={`${field} ${mailbox}`}
                            checked={contact.id === from}
                            disabled={!mayEdit}
                            onChange={() => setChosen({ ...chosen, [field]: contact.id })}
                          />
                        ) : (
                          '–'
                        )}
                      </td>
                    ))}
                  </tr>
                );
              })}
            </tbody>
          </table>
        </section>
        {mayEdit && (
          <Decision
            dismiss={{ label: 'Different people', onClick: () => decisions.keepApart(mailbox) }}
            accept={{
              label: `Merge ${contacts.length} contacts`,
              onClick: () =>
                decisions.merge(
                  keepId,
                  others.map(({ id }) => id),
                  chosen,
                ),
            }}
          />
        )}
      </div>
    </Card>
  );
}

import { Button, Modal } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { ErrorState, Note } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import { getList, type List } from '../contract.ts';
import classes from './lists-page.module.css';
import { UsedBy } from './used-by.tsx';

interface ListDetailsProps {
  /** Undefined while the dialog is closed. */
  id: number | undefined;
  onClose: () => void;
  onEdit: (id: number) => void;
  onPaste: (id: number) => void;
  onRemove: (list: List) => void;
}

/** What is known about one list, and what can be done with it. */
export function ListDetails({ id, onClose, onEdit, onPaste, onRemove }: ListDetailsProps) {
  const mayEdit = useMay('editor');
  const query = useQuery({
    ...queryOptionsFor(getList, { params: { id: id ?? 0 } }),
    enabled: id !== undefined,
  });
  const list = id === undefined ? undefined : query.data;
  return (
    <Modal opened={id !== undefined} onClose={onClose} title={list?.name ?? 'List'} size={560}>
      {query.error && id !== undefined ? (
        <ErrorState title="The list could not be loaded" error={query.error} onRetry={query.refetch} />
      ) : (
        list && (
          <>
            <Facts {...list} />
            <div className={classes.buttons}>
              {list.contactCount > 0 && list.problem === null && (
                <LinkButton to="/email-database" search={{ list: list.id }} variant="default">
                  {`See ${formatCount(list.contactCount, 'contact')}`}
                </LinkButton>
              )}
              {mayEdit && (
                <>
                  {list.problem === null && (
                    <LinkButton
                      to="/campaigns"
                      search={{ dialog: 'new', to: `list ${list.id}` }}
                      variant="default"
                    >
                      Send a campaign
                    </LinkButton>
                  )}
                  {list.isDynamic ? (
                    <LinkButton to={`/lists/${list.id}/rules`} variant="default">
                      Edit rules
                    </LinkButton>
                  ) : (
                    <Button variant="default" onClick={() => onPaste(list.id)}>
                      Paste addresses
                    </Button>
                  )}
                  <Button variant="default" onClick={() => onEdit(list.id)}>
                    Edit
                  </Button>
                  <Button variant="subtle" color="red" onClick={() => onRemove(list)}>
                    Delete
                  </Button>
                </>
              )}
            </div>
          </>
        )
      )}
    </Modal>
  );
}

/** How many contacts a list has. For a dynamic list, the age of the count too. */
function Counted({ isDynamic, contactCount, countedAt, problem }: ResponseOf<typeof getList>) {
  if (!isDynamic) return formatNumber(contactCount);
  if (problem !== null) return 'Not known';
  if (countedAt === null) return 'Being counted';
  return (
    <>
      {formatNumber(contactCount)}, counted <DateText value={countedAt} />
    </>
  );
}

/** Whom the rules mean, or why nobody can tell. */
const Rules = ({ words, problem }: ResponseOf<typeof getList>) =>
  problem === null ? (
    words
  ) : (
    <Note tone="error" title="Nobody can tell whom the rules mean">
      {problem}
    </Note>
  );

/** What readers see of it on their preference page. */
const forReaders = ({ isPublic, name, publicName, publicDescription }: List): string =>
  isPublic
    ? `Can choose it as “${publicName ?? name}”${publicDescription ? `: ${publicDescription}` : ''}`
    : 'Cannot choose it';

function Facts(list: ResponseOf<typeof getList>) {
  const facts = [
    { label: 'Total contacts', value: <Counted {...list} /> },
    { label: 'List type', value: list.isDynamic ? 'Auto' : 'Manual' },
    { label: 'Created', value: <DateText value={list.createdAt} /> },
    { label: 'Description', value: list.description || 'None' },
    ...(list.isDynamic ? [] : [{ label: 'Readers', value: forReaders(list) }]),
    ...(list.isDynamic ? [{ label: 'Segment rules', value: <Rules {...list} /> }] : []),
    { label: 'Used by', value: <UsedBy uses={list.usedBy} /> },
  ];
  return (
    <dl className={classes.facts}>
      {facts.map(({ label, value }) => (
        <Fragment key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </Fragment>
      ))}
    </dl>
  );
}

import { Select } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck, IconX } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listContacts } from '#features/audience/contract.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { type ApiError, call, queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { type Answer, explainSegment } from '../contract.ts';
import { type Draft, rulesOf } from './draft.ts';
import classes from './segments.module.css';

export interface Asked {
  id: number;
  address: string;
}

interface WhyCardProps {
  draft: Draft;
  /** The contact that somebody asked about. */
  asked: Asked | null;
  onAsk: (contact: Asked | null) => void;
  /** The rules can be read. Otherwise the figures say why not. */
  isReadable: boolean;
}

/** Whether the rules mean a contact, and which of them are true of it. */
export function WhyCard({ draft, asked, onAsk, isReadable }: WhyCardProps) {
  const rules = JSON.stringify(rulesOf(draft));
  const [settled] = useDebouncedValue(rules, 300);
  const explained = useQuery<Explained, ApiError>({
    queryKey: [explainSegment.path, rules, asked?.id],
    queryFn: ({ signal }) =>
      call(explainSegment, {
        body: { segmentRules: JSON.parse(rules), contactId: asked?.id ?? 0 },
        signal,
      }),
    enabled: asked !== null && isReadable && settled === rules,
    gcTime: 0,
  });
  return (
    <Card title="Is somebody in, and why?">
      <ContactField asked={asked} onAsk={onAsk} />
      <div aria-live="polite">
        {explained.error && isReadable && (
          <ErrorLine title="This could not be explained." error={explained.error} />
        )}
        {explained.data && isReadable && <Why {...explained.data} />}
      </div>
    </Card>
  );
}

type Explained = ResponseOf<typeof explainSegment>;

function ContactField({ asked, onAsk }: Pick<WhyCardProps, 'asked' | 'onAsk'>) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  const isAsking = search.length >= 2 && search !== asked?.address;
  const { data, error } = useQuery({
    ...queryOptionsFor(listContacts, { query: { search, limit: 8 } }),
    placeholderData: keepPreviousData,
    enabled: isAsking,
  });
  const found = new Map([
    ...(asked ? [[String(asked.id), asked.address] as const] : []),
    ...(data?.emails ?? []).map(({ id, address }) => [String(id), address] as const),
  ]);
  return (
    <>
      <Select
        aria-label="Contact"
        placeholder="Part of an address or a name"
        searchable
        clearable
        nothingFoundMessage={isAsking && data ? 'No such contact' : 'Type two letters or more'}
        filter={({ options }) => options}
        data={[...found].map(([value, label]) => ({ value, label }))}
        value={asked ? String(asked.id) : null}
        onFocus={({ currentTarget }) => currentTarget.select()}
        searchValue={typed}
        onSearchChange={setTyped}
        onChange={(value) => {
          const address = value === null ? undefined : found.get(value);
          onAsk(value === null || address === undefined ? null : { id: Number(value), address });
        }}
        clearButtonProps={{ 'aria-label': 'Ask about nobody' }}
      />
      {error && <ErrorLine title="Contacts could not be searched." error={error} />}
    </>
  );
}

const Why = ({ why, conditions, groups }: Explained) => (
  <>
    <p className={classes.why}>{why}</p>
    <ul className={classes.answers}>
      {conditions.map((answer, at) => (
        <OneAnswer key={at} {...answer} />
      ))}
      {groups.map(({ holds, conditions: answers }, group) => (
        <li key={`group ${group}`} className={classes.answer}>
          <Mark holds={holds} />
          <div>
            {`Group ${group + 1}`}
            <ul className={classes.answers}>
              {answers.map((answer, at) => (
                <OneAnswer key={at} {...answer} />
              ))}
            </ul>
          </div>
        </li>
      ))}
    </ul>
  </>
);

const OneAnswer = ({ holds, words, has }: Answer) => (
  <li className={classes.answer}>
    <Mark holds={holds} />
    <div>
      {words}
      <span className={classes.has}>{has.length === 0 ? 'has nothing there' : `has ${has.join(', ')}`}</span>
    </div>
  </li>
);

const Mark = ({ holds }: { holds: boolean }) => (
  <span className={classes.mark} data-holds={holds}>
    {holds ? <IconCheck size={14} stroke={2} aria-hidden /> : <IconX size={14} stroke={2} aria-hidden />}
    <span className={classes.unseen}>{holds ? 'True:' : 'Not true:'}</span>
  </span>
);

import { ActionIcon, Select, Tooltip } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconArrowsShuffle } from '@tabler/icons-react';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { listContacts } from '#features/audience/contract.ts';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import type { TemplatePreview } from '../contract.ts';
import { tellFailed } from './template-actions.ts';
import classes from './templates.module.css';

interface ContactChoiceProps {
  /** For whom it is filled. */
  chosen: TemplatePreview['contact'] | undefined;
  onChoose: (contactId: number | undefined, address: string | undefined) => void;
}

const samples = 'Sample values';

/** Among the newest contacts: going further costs more than another face is worth. */
const mostToShuffle = 1000;

/** For whom a preview is filled: sample values, a contact that one looks for, or anybody. */
export function ContactChoice({ chosen, onChoose }: ContactChoiceProps) {
  const [typed, setTyped] = useState('');
  const [search] = useDebouncedValue(typed.trim(), 250);
  // What stands in the field follows the choice a moment later, and is then nobody's search.
  const isChoice = [samples, chosen?.address].includes(search) || search !== typed.trim();
  const { data, isError } = useQuery({
    ...queryOptionsFor(listContacts, { query: { search, limit: 8 } }),
    placeholderData: keepPreviousData,
    enabled: search.length >= 2 && !isChoice,
  });
  // Whoever looks for somebody finds them first, so that Enter chooses them.
  const found = (data?.emails ?? []).map(({ id, address }) => [String(id), address] as const);
  const offered = new Map([
    ...(search.length >= 2 ? found : []),
    ['', samples] as const,
    ...(chosen ? [[String(chosen.id), chosen.address] as const] : []),
  ]);
  const shuffle = async () => {
    try {
      const { totalCount } = await call(listContacts, { query: { limit: 1 } });
      const page = 1 + Math.floor(Math.random() * Math.min(totalCount, mostToShuffle));
      const { emails } = await call(listContacts, { query: { limit: 1, page } });
      onChoose(emails[0]?.id, emails[0]?.address);
    } catch (error) {
      tellFailed(error, 'No contact could be read.');
    }
  };
  return (
    <div className={classes.choice}>
      <Select
        size="xs"
        aria-label="Preview as"
        placeholder="Part of an address"
        searchable
        error={isError && !isChoice && 'No contact could be read.'}
        allowDeselect={false}
        selectFirstOptionOnChange
        filter={({ options }) => options}
        data={[...offered].map(([value, label]) => ({ value, label }))}
        value={chosen ? String(chosen.id) : ''}
        onFocus={({ currentTarget }) => currentTarget.select()}
        searchValue={typed}
        onSearchChange={setTyped}
        onChange={(value) =>
          onChoose(value ? Number(value) : undefined, value ? offered.get(value) : undefined)
        }
      />
      <Tooltip label="Another contact">
        <ActionIcon variant="default" size={28} aria-label="Another contact" onClick={() => void shuffle()}>
          <IconArrowsShuffle size={16} stroke={1.6} />
        </ActionIcon>
      </Tooltip>
    </div>
  );
}

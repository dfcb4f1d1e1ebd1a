import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { asEdited, rulesOf, SegmentEditor, useDraft } from '#features/segments/web/index.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { call } from '#platform/web/api.ts';
import { LinkButton } from '#platform/web/components/links.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { WordBadge } from '#platform/web/components/status-badge.tsx';
import { useLeaveGuard } from '#platform/web/components/use-leave-guard.tsx';
import { useNamedForm } from '#platform/web/use-named-form.ts';
import { changeList, createList, type getList, longestDescription, longestListName } from '../contract.ts';
import { saidOfLists } from './list-words.ts';
import { refreshLists } from './refresh-lists.ts';
import classes from './rules-form.module.css';
import type { SegmentStart } from './segment-start.ts';
import { UsedBy } from './used-by.tsx';

type ShownList = ResponseOf<typeof getList>;

interface RulesFormProps {
  /** Null for a new one. */
  list: ShownList | null;
  /** What somebody has already entered elsewhere. */
  start: SegmentStart | undefined;
}

const blank = { name: '', description: '' };
const valuesOf = ({ name, description }: Pick<ShownList, 'name' | 'description'>) => ({
  name,
  description: description ?? '',
});
const noRules = { conditions: [] };

/** A segment with its name: made, or changed. */
export function RulesForm({ list, start }: RulesFormProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const stored = { ...(list ? valuesOf(list) : blank), rules: list?.segmentRules ?? noRules };
  const first = start ? { name: start.name, description: start.description } : valuesOf(stored);
  const screen = useDraft(start?.segmentRules ?? stored.rules);
  const form = useNamedForm({
    asked: list ?? 'new',
    blank: first,
    valuesOf: () => first,
    nameRequired: 'List name is required',
    save: ({ name, description }, shown) => {
      const body = { name, description: description.trim() || null, segmentRules: rulesOf(screen.draft) };
      return shown === 'new'
        ? call(createList, { body: { ...body, isDynamic: true } })
        : call(changeList, { params: { id: shown.id }, body });
    },
    onSaved: () => refreshLists(queryClient),
    onClose: () => {
      guard.open();
      void navigate({ to: '/lists' });
    },
    saidWhenDone: (name, isNew) => saidOfLists(name, isNew, true),
    saidWhenFailed: (isNew) => (isNew ? 'Failed to create list' : 'Failed to save list'),
  });
  const isChanged =
    JSON.stringify({ ...form.values, rules: rulesOf(screen.draft) }) !==
    JSON.stringify({ name: stored.name, description: stored.description, rules: asEdited(stored.rules) });
  const guard = useLeaveGuard(isChanged, 'The segment');
  const save = async () => {
    if (form.values.name.trim() === '' || screen.finished() !== null) await form.submit();
  };
  return (
    <Page
      title={list?.name ?? 'New segment'}
      parent={{ label: 'Lists', to: '/lists' }}
      purpose={
        <span className={classes.purpose}>
          <WordBadge>Dynamic</WordBadge> Contacts join and leave by these rules.
        </span>
      }
      actions={
        <>
          <LinkButton to="/lists" variant="subtle" color="gray">
            Cancel
          </LinkButton>
          <MayEditButton why="Lists need the editor role." onClick={save}>
            Save segment
          </MayEditButton>
        </>
      }
    >
      <Naming form={form} />
      <SegmentEditor screen={screen} {...(list ? { usedBy: <UsedBy uses={list.usedBy} /> } : {})} />
      {guard.dialog}
    </Page>
  );
}

type Form = ReturnType<typeof useNamedForm<ShownList, typeof blank>>;

const Naming = ({
  form: { field, values, error, onChange },
}: {
  form: Pick<Form, 'field' | 'values' | 'error' | 'onChange'>;
}) => (
  <div className={classes.naming}>
    <TextInput
      ref={field}
      label="Name"
      placeholder="Quiet northern trade buyers"
      maxLength={longestListName}
      autoComplete="off"
      value={values.name}
      error={error}
      onChange={({ currentTarget: { value: name } }) => onChange({ name })}
    />
    <TextInput
      label="Description (optional)"
      placeholder="What they are written to about"
      maxLength={longestDescription}
      autoComplete="off"
      value={values.description}
      onChange={({ currentTarget: { value: description } }) => onChange({ description })}
    />
  </div>
);

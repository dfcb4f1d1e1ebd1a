import { TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { asEdited, rulesOf, SegmentEditor, useDraft } from '#features/segments/web/index.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { call } from '#platform/web/api.ts';
import { changedFields } from '#platform/web/changed-fields.ts';
import { LeftOver } from '#platform/web/components/left-over.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { MayEditButton } from '#platform/web/components/may-edit-button.tsx';
import { Page } from '#platform/web/components/page.tsx';
import { PassingNotes } from '#platform/web/components/passing-notes.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { WordBadge } from '#platform/web/components/status-badge.tsx';
import { useLeaveGuard } from '#platform/web/components/use-leave-guard.tsx';
import { useNamedForm } from '#platform/web/use-named-form.ts';
import { changeList, createList, type getList, longestDescription, longestListName } from '../contract.ts';
import { useKeptSegment } from './kept-segment.ts';
import { saidOfLists } from './list-words.ts';
import { refreshLists } from './refresh-lists.ts';
import classes from './rules-form.module.css';
import type { SegmentStart } from './segment-start.ts';
import { UsedBy } from './used-by.tsx';

type ShownList = ResponseOf<typeof getList>;

interface RulesFormProps {
  /** Null for a new one. */
  list: ShownList | null;
  /** What somebody has already entered elsewhere. Left out when the list has changed since. */
  start: SegmentStart | undefined;
}

const blank = { name: '', description: '' };
const valuesOf = ({ name, description }: Pick<ShownList, 'name' | 'description'>) => ({
  name,
  description: description ?? '',
});
const noRules = { conditions: [] };
const writtenIn = (list: ShownList | null) => ({
  ...(list ? valuesOf(list) : blank),
  segmentRules: list?.segmentRules ?? noRules,
});

/** A segment with its name: made, or changed. */
export function RulesForm({ list, start }: RulesFormProps) {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [begin] = useState(() => (list && start?.updatedAt !== list.updatedAt ? undefined : start));
  const [isOutdated] = useState(start !== undefined && begin === undefined);
  const screen = useDraft(begin?.segmentRules ?? writtenIn(list).segmentRules);
  const form = useNamedForm({
    asked: list ?? 'new',
    blank: list ? valuesOf(list) : blank,
    begin: begin && { name: begin.name, description: begin.description },
    valuesOf,
    nameRequired: 'List name is required',
    create: (named) =>
      call(createList, { body: { ...named, isDynamic: true, segmentRules: rulesOf(screen.draft) } }),
    save: ({ thing, changed, seenAt: updatedAt }) => {
      const before = { segmentRules: asEdited(thing.segmentRules ?? noRules) };
      const rules = changedFields(before, { segmentRules: rulesOf(screen.draft) });
      return call(changeList, { params: { id: thing.id }, body: { ...changed, ...rules, updatedAt } });
    },
    refresh: () => refreshLists(queryClient),
    onClose: () => void leave(),
    saidWhenDone: (name, isNew) => saidOfLists(name, isNew, true),
    saidWhenFailed: (isNew) => (isNew ? 'Failed to create list' : 'Failed to save list'),
  });
  const kept = useKeptSegment({ list, writtenIn, form, screen });
  const guard = useLeaveGuard(kept.isChanged, 'The segment', { keep: kept.keep, onLeave: kept.drop });
  const leave = async () => {
    kept.drop();
    // The history would offer on the way back what is saved by now, and perhaps changed again.
    await navigate({ to: '.', replace: true, state: {} });
    guard.open();
    await navigate({ to: '/lists' });
  };
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
      {kept.found && (
        <LeftOver at={kept.found.at} isOld={kept.isOld} onRestore={kept.restore} onDiscard={kept.discard}>
          {!list && kept.found.content.name && `They are of “${kept.found.content.name}”. `}
        </LeftOver>
      )}
      {isOutdated && (
        <Note tone="info">
          This segment has been changed since you opened it. It is shown as it is stored now, without what you
          had entered.
        </Note>
      )}
      {/* Once it is saved the screen is left, and what was entered meanwhile would be lost. */}
      <fieldset disabled={form.pending} className={classes.form}>
        <Naming form={form} />
        <SegmentEditor screen={screen} {...(list ? { usedBy: <UsedBy uses={list.usedBy} /> } : {})} />
      </fieldset>
      {guard.dialog}
      <PassingNotes>{form.refusal && <Note tone="error">{form.refusal}</Note>}</PassingNotes>
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

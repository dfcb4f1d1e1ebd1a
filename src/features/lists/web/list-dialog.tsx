import { Skeleton, Switch, Textarea, TextInput } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { call } from '#platform/web/api.ts';
import { deferred } from '#platform/web/components/deferred.tsx';
import { FormDialog } from '#platform/web/components/dialogs.tsx';
import { useNamedForm } from '#platform/web/use-named-form.ts';
import { changeList, createList, type List, longestDescription, longestListName } from '../contract.ts';
import type { RulesInDialog } from './dynamic-rules.tsx';
import { saidOfLists } from './list-words.ts';
import classes from './lists-page.module.css';
import { refreshLists } from './refresh-lists.ts';
import { TopicFields } from './topic-fields.tsx';

const DynamicRules = deferred(
  async () => (await import('./dynamic-rules.tsx')).default,
  () => <Skeleton height={96} radius={8} />,
);

interface ListDialogProps {
  /** The list to edit; null while the dialog is closed. */
  asked: 'new' | List | null;
  onClose: () => void;
}

const blank = {
  name: '',
  description: '',
  isDynamic: false,
  isPublic: false,
  publicName: '',
  publicDescription: '',
};

/** Asks for a list's name and description, and whether it fills itself by rules. */
export function ListDialog({ asked, onClose }: ListDialogProps) {
  const queryClient = useQueryClient();
  const rules = useRef<RulesInDialog>(null);
  const [isGoingOn, setIsGoingOn] = useState(false);
  const form = useNamedForm<List, typeof blank>({
    asked,
    blank,
    valuesOf: ({ name, description, isDynamic, isPublic, publicName, publicDescription }) => ({
      ...{ name, description: description ?? '', isDynamic, isPublic },
      ...{ publicName: publicName ?? '', publicDescription: publicDescription ?? '' },
    }),
    nameRequired: 'List name is required',
    create: ({ name, description, isDynamic, ...topic }) => {
      const own = isDynamic ? { segmentRules: rules.current?.now() } : topic;
      return call(createList, { body: { name, description, isDynamic, ...own } });
    },
    save: ({ thing: { id }, changed, seenAt: updatedAt }) =>
      call(changeList, {
        params: { id },
        body: { ...changed, segmentRules: rules.current?.changed(), updatedAt },
      }),
    refresh: () => refreshLists(queryClient),
    onClose,
    saidWhenDone: (name, isNew) => saidOfLists(name, isNew, rules.current !== null),
    saidWhenFailed: (isNew) => (isNew ? 'Failed to create list' : 'Failed to save list'),
  });
  const { shown, field, values, error, refusal, pending, onChange } = form;
  const isNew = shown === 'new';
  const submit = () => {
    // Without rules the list would be everybody, so nothing is saved before they are there.
    const isReady = !values.isDynamic || values.name.trim() === '' || rules.current?.finished();
    if (isReady) void form.submit();
  };
  return (
    <FormDialog
      opened={asked !== null}
      onClose={onClose}
      title={isNew ? 'Create list' : `Edit ${shown.name}`}
      submitLabel={isNew ? 'Create list' : 'Save'}
      pendingLabel={isNew ? 'Creating...' : 'Saving...'}
      pending={pending}
      isChanged={() => form.isChanged || rules.current?.changed() !== undefined}
      error={refusal}
      onSubmit={submit}
      width={values.isDynamic ? 760 : 440}
    >
      {/* What is typed while the editor comes would not be in it. */}
      <fieldset disabled={isGoingOn} className={classes.fields}>
        <TextInput
          ref={field}
          data-autofocus
          label="Name"
          placeholder="Trade customers"
          maxLength={longestListName}
          autoComplete="off"
          value={values.name}
          error={error}
          onChange={({ currentTarget: { value: name } }) => onChange({ name })}
        />
        <Textarea
          label="Description (optional)"
          placeholder="Who is on it, and what they agreed to"
          rows={2}
          maxLength={longestDescription}
          value={values.description}
          onChange={({ currentTarget: { value: description } }) => onChange({ description })}
        />
        {isNew && (
          <Switch
            label="Dynamic Segment"
            description="Contacts join and leave by rules."
            classNames={{ description: classes.hint ?? '' }}
            checked={values.isDynamic}
            onChange={({ currentTarget: { checked: isDynamic } }) => onChange({ isDynamic })}
          />
        )}
        {!values.isDynamic && <TopicFields values={values} onChange={onChange} />}
        {values.isDynamic && asked !== null && (
          <Rules list={shown} values={values} rules={rules} onGoing={setIsGoingOn} />
        )}
      </fieldset>
    </FormDialog>
  );
}

interface RulesProps {
  list: 'new' | List;
  values: typeof blank;
  rules: React.RefObject<RulesInDialog | null>;
  /** Called with true once somebody goes on in the editor, and with false when it is there. */
  onGoing: (isGoing: boolean) => void;
}

const noRules = { conditions: [] };

/** The rules, which are fetched when somebody first wants some. */
function Rules({ list, values: { name, description }, rules, onGoing }: RulesProps) {
  const navigate = useNavigate();
  const isNew = list === 'new';
  const initial = (isNew ? null : list.segmentRules) ?? noRules;
  const goOn = () => {
    onGoing(true);
    void navigate({
      to: '/lists/$id/rules' as string,
      params: { id: isNew ? 'new' : String(list.id) } as never,
      state: {
        segment: {
          ...{ name, description, segmentRules: rules.current?.now() ?? initial },
          ...(isNew ? {} : { updatedAt: list.updatedAt }),
        },
      },
    }).finally(() => onGoing(false));
  };
  return <DynamicRules key={isNew ? 'new' : list.id} initial={initial} rules={rules} onMore={goOn} />;
}

import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useEffect, useState } from 'react';
import { ApiError, call, queryKeyOf, words } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import { showNewer } from '#platform/web/query-client.ts';
import { toastDone, toastFailed } from '#platform/web/toast.tsx';
import { changeSettings, getSettings, type Settings, type SettingsChange } from '../contract.ts';
import { changeOf, type Draft, draftOf, fieldErrors, type Section, splitList } from './fields.ts';
import { SettingField } from './setting-field.tsx';
import classes from './settings-page.module.css';
import { UkPolicyField } from './uk-policy-field.tsx';

interface SectionCardProps {
  section: Section;
  settings: Settings;
  mayEdit: boolean;
  /** Called when the card has unsaved changes, and when it no longer has any. */
  onDirty: (isDirty: boolean) => void;
}

const failure = 'There was an error updating your settings. Please try again.';

/** One section of the settings, saved separately. */
export function SectionCard({ section, settings, mayEdit, onDirty }: SectionCardProps) {
  const queryClient = useQueryClient();
  const saved = draftOf(section, settings[section.key]);
  const [edits, setEdits] = useState<Draft>({});
  const [errors, setErrors] = useState<Record<string, string>>({});
  const [pending, setPending] = useState(false);
  const draft = { ...saved, ...edits };
  const isDirty = section.fields.some(({ name }) => draft[name] !== saved[name]);
  useEffect(() => onDirty(isDirty), [isDirty, onDirty]);

  const edit = (name: string) => (value: string | boolean) => {
    setEdits((before) => ({ ...before, [name]: value }));
    setErrors(({ [name]: _gone, ...others }) => others);
  };
  const reset = () => {
    setEdits({});
    setErrors({});
  };
  const save = async (event: FormEvent) => {
    event.preventDefault();
    const { change, errors: found } = changeOf(section, saved, draft);
    setErrors(found);
    if (pending || Object.keys(found).length > 0 || Object.keys(change).length === 0) return;
    setPending(true);
    try {
      const settings = await call(changeSettings, { body: { [section.key]: change } as SettingsChange });
      showNewer(queryClient, queryKeyOf(getSettings), settings);
      // What was typed meanwhile is not saved yet.
      setEdits((now) => Object.fromEntries(Object.entries(now).filter(([k, value]) => value !== draft[k])));
      toastDone({ title: 'Settings Updated', message: `${section.title} settings were saved.` });
    } catch (error) {
      const byField = error instanceof ApiError ? fieldErrors(section.key, error.fields) : {};
      setErrors(byField);
      // A field says itself what is wrong with it.
      if (Object.keys(byField).length === 0)
        toastFailed({ title: 'Update Failed', message: words(error, failure) });
    } finally {
      setPending(false);
    }
  };

  return (
    <div id={section.key} className={classes.anchor}>
      <Card title={section.title} hint={section.hint}>
        <form onSubmit={(event) => void save(event)} noValidate>
          <div className={classes.fields}>
            {section.fields.map((field) =>
              field.name === 'ukPolicy' ? (
                <UkPolicyField
                  key={field.name}
                  value={String(draft.ukPolicy)}
                  allowedDomains={splitList(String(draft.allowedDomains))}
                  disabled={!mayEdit}
                  error={errors.ukPolicy}
                  onChange={edit('ukPolicy')}
                />
              ) : (
                <SettingField
                  key={field.name}
                  field={field}
                  value={draft[field.name] ?? ''}
                  disabled={!mayEdit}
                  error={errors[field.name]}
                  onChange={edit(field.name)}
                />
              ),
            )}
          </div>
          {mayEdit && (
            <div className={classes.buttons}>
              <Button variant="subtle" color="gray" disabled={!isDirty || pending} onClick={reset}>
                Discard
              </Button>
              <Button
                type="submit"
                variant={isDirty ? 'filled' : 'default'}
                disabled={!isDirty}
                loading={pending}
              >
                Save {section.title.toLowerCase()}
              </Button>
            </div>
          )}
        </form>
      </Card>
    </div>
  );
}

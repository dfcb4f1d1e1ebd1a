import { useBlocker } from '@tanstack/react-router';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import type { SettingsSection } from '../contract.ts';
import { sections } from './fields.ts';

interface Unsaved {
  /** The sections with unsaved changes. */
  dirty: ReadonlySet<SettingsSection>;
  /** By section, the function to call when it gets unsaved changes or is saved. */
  noters: ReadonlyMap<SettingsSection, (isDirty: boolean) => void>;
  /** Asks whether to leave without saving. */
  dialog: ReactNode;
}

/** Tracks which sections are not saved, and asks before somebody leaves them. */
export function useUnsaved(): Unsaved {
  const [dirty, setDirty] = useState<ReadonlySet<SettingsSection>>(new Set());
  const note = useCallback((key: SettingsSection, isDirty: boolean) => {
    setDirty((before) => {
      if (before.has(key) === isDirty) return before;
      const after = new Set(before);
      if (isDirty) after.add(key);
      else after.delete(key);
      return after;
    });
  }, []);
  const noters = useMemo(
    () => new Map(sections.map(({ key }) => [key, (isDirty: boolean) => note(key, isDirty)])),
    [note],
  );
  const leaving = useBlocker({
    shouldBlockFn: ({ current, next }) => dirty.size > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => dirty.size > 0,
    withResolver: true,
  });
  const unsaved = sections.filter(({ key }) => dirty.has(key)).map(({ title }) => title);

  return {
    dirty,
    noters,
    dialog: (
      <ConfirmDialog
        opened={leaving.status === 'blocked'}
        onClose={() => leaving.reset?.()}
        title="Leave without saving?"
        confirmLabel="Leave without saving"
        onConfirm={async () => leaving.proceed?.()}
      >
        <p>{`What you changed under ${unsaved.join(' and ')} has not been saved.`}</p>
      </ConfirmDialog>
    ),
  };
}

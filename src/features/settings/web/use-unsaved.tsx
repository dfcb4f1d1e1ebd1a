import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { useLeaveGuard } from '#platform/web/components/use-leave-guard.tsx';
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

/** Tracks which sections are not saved, and asks before somebody leaves them or signs out. */
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
  const unsaved = sections.filter(({ key }) => dirty.has(key)).map(({ title }) => title);
  const { dialog } = useLeaveGuard(dirty.size > 0, nounOf(unsaved));
  return { dirty, noters, dialog };
}

const list = new Intl.ListFormat('en-GB');
const nounOf = (titles: readonly string[]): string =>
  titles.length > 1 ? `Each of ${list.format(titles)}` : (titles[0] ?? '');

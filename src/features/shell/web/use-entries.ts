import { useMemo } from 'react';
import { useCurrentUser } from '#platform/web/current-user.ts';
import { useFeatures } from '#platform/web/router.tsx';
import { entriesFor } from './entries-for.ts';

/** The screens and commands of all features that the signed-in person may use. */
export function useEntries() {
  const { isAdmin, role } = useCurrentUser();
  const features = useFeatures();
  return useMemo(() => entriesFor(features, { isAdmin, role }), [features, isAdmin, role]);
}

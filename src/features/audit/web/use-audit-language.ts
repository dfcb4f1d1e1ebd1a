import { useMemo } from 'react';
import { useFeatures } from '#platform/web/router.tsx';
import { type AuditLanguage, auditLanguage } from '../rules.ts';

/** The words of all features for the audit log. */
export function useAuditLanguage(): AuditLanguage {
  const features = useFeatures();
  return useMemo(() => auditLanguage(features.map(({ words }) => words?.audit)), [features]);
}

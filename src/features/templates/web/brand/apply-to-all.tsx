import { Button } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { call } from '#platform/web/api.ts';
import { ConfirmDialog } from '#platform/web/components/dialogs.tsx';
import { formatCount } from '#platform/web/format.ts';
import { toastDone } from '#platform/web/toast.tsx';
import { applyBrand, listTemplates } from '../../contract.ts';

/** Gives the saved brand to all visual templates that are there. */
export function ApplyToAll({ isDirty }: { isDirty: boolean }) {
  const queryClient = useQueryClient();
  const [opened, setOpened] = useState(false);
  const apply = async () => {
    const total = { changed: 0, unchanged: 0, skipped: 0 };
    try {
      for (let after: number | null = 0; after !== null; ) {
        const done: ResponseOf<typeof applyBrand> = await call(applyBrand, { body: { after } });
        for (const key of ['changed', 'unchanged', 'skipped'] as const) total[key] += done[key];
        after = done.next;
      }
    } finally {
      await queryClient.invalidateQueries({ queryKey: [listTemplates.path] });
    }
    toastDone({ title: 'Brand Applied', message: inWords(total) });
  };
  return (
    <>
      <Button variant="default" disabled={isDirty} onClick={() => setOpened(true)}>
        Apply to all templates
      </Button>
      <ConfirmDialog
        opened={opened}
        onClose={() => setOpened(false)}
        title="Apply the brand to all templates?"
        confirmLabel="Apply to all"
        onConfirm={apply}
        failure="The brand could not be applied to all templates."
      >
        All visual templates take this look, and their logo blocks this logo. Each keeps the version before,
        which can be restored. Templates in MJML and HTML, and campaigns that are there, stay as they are.
      </ConfirmDialog>
    </>
  );
}

function inWords({ changed, unchanged, skipped }: Record<'changed' | 'unchanged' | 'skipped', number>) {
  const parts = [
    changed > 0 && `${formatCount(changed, 'template')} changed.`,
    unchanged > 0 && `${formatCount(unchanged, 'template')} had it already.`,
    skipped > 0 &&
      `${formatCount(skipped, 'template was', 'templates were')} left out: changed meanwhile, or too large.`,
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(' ') : 'There is no visual template.';
}

import { Button } from '@mantine/core';
import { IconAddressBook, IconFileImport, IconSearchOff } from '@tabler/icons-react';
import { useVerify } from '#features/verification/web/index.ts';
import { LinkButton } from '#platform/web/components/links.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { useMay } from '#platform/web/current-user.ts';

/** A workspace without contacts. */
export function NoContacts({ onAdd }: { onAdd: () => void }) {
  const mayEdit = useMay('editor');
  return (
    <EmptyState
      icon={IconAddressBook}
      title="No contacts yet"
      description={
        mayEdit
          ? 'Import a CSV file of addresses, or add one by hand. Duplicates, invalid and suppressed addresses are left out.'
          : 'Contacts appear here once an editor has imported or added them.'
      }
      action={
        mayEdit && (
          <>
            <LinkButton to="/imports" leftSection={<IconFileImport size={16} stroke={1.6} />}>
              Import Data
            </LinkButton>
            <Button variant="default" onClick={onAdd}>
              Add Email
            </Button>
          </>
        )
      }
    />
  );
}

interface NothingFoundProps {
  search: string;
  /** A filter asks for something that only a verification finds out. */
  byVerdict: boolean;
  onClear: () => void;
}

/** There are contacts, but none match. */
export function NothingFound({ search, byVerdict, onClear }: NothingFoundProps) {
  const verify = useVerify();
  const mayEdit = useMay('editor');
  return (
    <EmptyState
      icon={IconSearchOff}
      title={search === '' ? 'Nothing matches these filters' : `Nothing matches “${search}”`}
      description={
        byVerdict
          ? 'Verdict, reason, kind, UK class and risk are looked for among verified contacts. Verify the others first, or look among all contacts.'
          : 'Part of an address is enough. Check the spelling, or look among all contacts.'
      }
      action={
        <>
          {byVerdict && mayEdit && (
            <Button variant="default" onClick={() => void verify({ filter: {} })}>
              Verify all contacts
            </Button>
          )}
          <Button variant="default" onClick={onClear}>
            {search === '' ? 'Clear filters' : 'Clear search'}
          </Button>
        </>
      }
    />
  );
}

import { Button } from '@mantine/core';
import { IconBan, IconFileImport, IconSearchOff } from '@tabler/icons-react';
import { LinkButton } from '#platform/web/components/links.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import type { SuppressionList } from './use-suppression-list.ts';

/** A list without entries, or without matching ones. */
export function NoEntries({ list, mayEdit }: { list: SuppressionList; mayEdit: boolean }) {
  const { state, change, filter } = list;
  const search = state.search.trim();
  if (Object.keys(filter).length > 0) {
    return (
      <EmptyState
        icon={IconSearchOff}
        title={search === '' ? 'Nothing matches this filter' : `Nothing matches “${search}”`}
        description={
          state.tab === 'emails'
            ? 'Part of an address is enough. A domain that is suppressed as a whole is on the other tab.'
            : 'Part of a domain is enough.'
        }
        action={
          <Button variant="default" onClick={() => change({ search: '', reason: undefined, page: 1 })}>
            {search === '' ? 'Clear filter' : 'Clear search'}
          </Button>
        }
      />
    );
  }
  const what =
    state.tab === 'emails'
      ? 'Addresses come here when people unsubscribe, complain or ask to be left alone, and when mail to them bounces.'
      : 'A domain here is never mailed, and neither are its subdomains.';
  return (
    <EmptyState
      icon={IconBan}
      title={state.tab === 'emails' ? 'No suppressed addresses yet' : 'No suppressed domains yet'}
      description={
        mayEdit ? `${what} Add one above, or bring in the lists of the tool you used before.` : what
      }
      action={
        mayEdit && (
          <LinkButton
            to="/suppressions"
            search={state.tab === 'emails' ? { dialog: 'import' } : { tab: 'domains', dialog: 'import' }}
            variant="default"
            leftSection={<IconFileImport size={16} stroke={1.6} />}
          >
            Import a suppression list
          </LinkButton>
        )
      }
    />
  );
}

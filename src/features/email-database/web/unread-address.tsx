import { Button } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Page } from '#platform/web/components/page.tsx';
import { ErrorState } from '#platform/web/components/states.tsx';
import { unreadFilters } from './email-database-search.ts';

/** The names of filters in the address that this version cannot read. */
export const useUnreadFilters = (): string[] =>
  unreadFilters(useSearch({ strict: false }) as Record<string, unknown>);

/** Shown in place of contacts: without these filters there would be more than the link is about. */
export function UnreadAddress({ names }: { names: string[] }) {
  const navigate = useNavigate();
  return (
    <Page title="Email Database" purpose="Every address you hold, and what is known about it.">
      <ErrorState
        title="This link has a filter that is not known here"
        description={`It cannot be read: ${names.join(', ')}. Without it, this page would show more contacts than the link means.`}
        action={
          <Button variant="default" onClick={() => void navigate({ to: '.', search: {}, replace: true })}>
            Show all contacts
          </Button>
        }
      />
    </Page>
  );
}

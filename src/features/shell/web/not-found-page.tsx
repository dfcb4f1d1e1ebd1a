import { Center } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { useEffect } from 'react';
import { LinkButton } from '#platform/web/components/links.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';

/** Shown for an address that no screen has. */
export function NotFoundPage() {
  useEffect(() => {
    document.title = 'Page not found – Email Manager';
  }, []);
  return (
    <Center component="main" mih="100dvh" p="md">
      <EmptyState
        icon={IconMapOff}
        heading
        title="404 Page Not Found"
        description="Did you forget to add the page to the router?"
        action={
          <LinkButton to="/" variant="default">
            Go to the start page
          </LinkButton>
        }
      />
    </Center>
  );
}

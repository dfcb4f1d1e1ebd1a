import { Center } from '@mantine/core';
import { IconMapOff } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect } from 'react';
import { currentUserOptions } from '#features/sign-in/web/index.ts';
import { CentredSpinner } from '#platform/web/components/centred-spinner.tsx';
import { deferred } from '#platform/web/components/deferred.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import { EmptyState } from '#platform/web/components/states.tsx';
import { PersonProvider } from '#platform/web/current-user.ts';

const Shell = deferred<{ children: ReactNode }>(
  async () => (await import('./shell.tsx')).default,
  () => <CentredSpinner />,
);

/**
 * Shown when no screen has the address. Signed-in people see it inside the frame, so that they can
 * go on.
 */
export function NotFoundPage() {
  useEffect(() => {
    document.title = 'Page not found – Email Manager';
  }, []);
  const { data: user, isPending } = useQuery(currentUserOptions);
  if (isPending) return <CentredSpinner />;
  if (!user) {
    return (
      <Center component="main" mih="100dvh" p="md">
        <NotFound />
      </Center>
    );
  }
  return (
    <PersonProvider>
      <Shell>
        <Center mih="70dvh" p="md">
          <NotFound />
        </Center>
      </Shell>
    </PersonProvider>
  );
}

const NotFound = () => (
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
);

import { Button, Center } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import type { ErrorComponentProps } from '@tanstack/react-router';
import { words } from '../api.ts';
import { ErrorState } from './states.tsx';

/** Stands in for a screen whose code did not arrive or that failed while rendering. */
export function CrashPage({ error }: ErrorComponentProps) {
  return (
    <Center mih="calc(100dvh - 52px)" p="md">
      <ErrorState
        title="This page could not be shown"
        description={words(error, 'Nothing you saved is affected. Loading the page again usually helps.')}
        action={
          <Button
            variant="default"
            leftSection={<IconRefresh size={16} stroke={1.6} />}
            onClick={() => window.location.reload()}
          >
            Try again
          </Button>
        }
      />
    </Center>
  );
}

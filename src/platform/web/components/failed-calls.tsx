import { Button } from '@mantine/core';
import { IconRefresh } from '@tabler/icons-react';
import { useQueryClient } from '@tanstack/react-query';
import { useHiddenFailures } from '../failed-calls.ts';
import { failureWords, Note } from './states.tsx';

/** Above the groups of a screen: that a call failed which no group shows. */
export function FailedCalls() {
  const failures = useHiddenFailures();
  const queryClient = useQueryClient();
  if (failures.length === 0) return null;
  const reasons = new Set(failures.map(({ error }) => failureWords(error)));
  const tryAgain = () => {
    const failed = failures.map(({ query }) => query);
    void queryClient.refetchQueries({ predicate: (query) => failed.includes(query) });
  };
  return (
    <section aria-label="What could not be loaded">
      <Note
        tone="error"
        title="Part of this screen could not be loaded"
        action={
          <Button
            variant="default"
            size="xs"
            leftSection={<IconRefresh size={14} stroke={1.6} />}
            onClick={tryAgain}
          >
            Try again
          </Button>
        }
      >
        {[...reasons].join(' ')} What is shown is right, and the rest of the screen works.
      </Note>
    </section>
  );
}

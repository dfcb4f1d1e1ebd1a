import { Center, Loader } from '@mantine/core';

/** The whole screen while it is not yet known who is signed in, or while a screen is fetched. */
export function CentredSpinner() {
  return (
    <Center mih="calc(100dvh - 52px)" role="status" aria-label="Loading">
      <Loader size={24} aria-hidden />
    </Center>
  );
}

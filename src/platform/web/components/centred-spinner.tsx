import { Center, Loader } from '@mantine/core';

/** Fills the screen while it is unknown who is signed in, or while a screen is being fetched. */
export function CentredSpinner() {
  return (
    <Center mih="calc(100dvh - 52px)" role="status" aria-label="Loading">
      <Loader size={24} aria-hidden />
    </Center>
  );
}

import { useMediaQuery } from '@mantine/hooks';

const now = { getInitialValueInEffect: false } as const;

/** Whether the window is narrower than 768 px. */
export const usePhone = (): boolean => useMediaQuery('(max-width: 47.99em)', false, now);

/** Whether there is room for a record beside its table: 1200 px or more. */
export const useWide = (): boolean => useMediaQuery('(min-width: 75em)', true, now);

import { formatCount } from '#platform/shared/words.ts';

/** The message for an import that exceeds the time set in the settings. */
export const timeoutMessage = ({ settings }: { settings: { timeoutSeconds: number } }): string =>
  `The import took longer than the ${formatCount(settings.timeoutSeconds, 'second')} allowed. Nothing was imported; allow more time in Settings or split the file.`;

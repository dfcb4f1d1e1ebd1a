import type { EngineJob } from './messages.ts';

export const timeoutMessage = ({ settings }: Pick<EngineJob, 'settings'>): string =>
  `The import took longer than the ${settings.timeoutSeconds} seconds allowed. Nothing was imported; allow more time in Settings or split the file.`;

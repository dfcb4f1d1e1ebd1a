/** What is said of an import that is not done in the time that the settings allow. */
export const timeoutMessage = ({ settings }: { settings: { timeoutSeconds: number } }): string =>
  `The import took longer than the ${settings.timeoutSeconds} seconds allowed. Nothing was imported; allow more time in Settings or split the file.`;

export const settingsPath = '/settings';

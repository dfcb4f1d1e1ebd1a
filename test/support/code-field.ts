import type { Locator } from 'playwright';

/** What stands in a code field. It draws the lines in view only, so this is for short texts. */
export const codeIn = async (field: Locator): Promise<string> =>
  (await field.locator('.cm-line').allTextContents()).join('\n');

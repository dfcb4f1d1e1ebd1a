import type { Locator } from 'playwright';
import { expect } from 'vitest';

/** What stands in a code field. It draws the lines in view only, so this is for short texts. */
export const codeIn = async (field: Locator): Promise<string> =>
  (await field.locator('.cm-line').allTextContents()).join('\n');

/**
 * Writes the HTML of the dialog for templates. A dialog gives its first field the cursor once it is
 * there, and what is written elsewhere before would go beside what it is to replace.
 */
export async function writeHtml(form: Locator, html: string): Promise<void> {
  await expect.poll(() => form.locator('[data-autofocus]:focus').count()).toBe(1);
  await form.getByLabel('HTML Content').fill(html);
}

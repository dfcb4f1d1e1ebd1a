import type { Page } from 'playwright';
import type { SignedInPage } from './browser.ts';
import type { RunningProduct } from './shared-product.ts';
import { inDatabaseOf } from './stage.ts';

/** The rules on the screen of a segment, and how people fill them in. */
export function segmentEditor(page: () => Page) {
  const rule = (number: number) => page().getByRole('group', { name: `Rule ${number}`, exact: true });
  const value = (number: number) => rule(number).getByRole('combobox', { name: 'Value' });
  return {
    rule,
    value,
    addRule: () => page().getByRole('button', { name: 'Rule', exact: true }).click(),
    /** Chooses in a field of a rule. */
    choose: async (number: number, control: 'Field' | 'Operator', words: string): Promise<void> => {
      await rule(number).getByRole('combobox', { name: control }).click();
      await page().getByRole('option', { name: words, exact: true }).click();
    },
    chooseValues: async (number: number, ...words: string[]): Promise<void> => {
      for (const one of words) {
        await value(number).click();
        await page().getByRole('option', { name: one, exact: true }).click();
      }
      await page().keyboard.press('Escape');
    },
  };
}

/**
 * What the tables say, without the product: as many as “UK corporate, added this month, not with
 * the tag” has to find.
 */
export async function countNewCorporate(
  product: RunningProduct,
  { workspaceId }: SignedInPage,
  tag: number,
): Promise<number> {
  const [row] = await inDatabaseOf(
    product,
    `select count(*)::int as contacts from contacts c
     where c.workspace_id = $1 and c.domain in ('harbourpine.co.uk', 'millbank.org.uk')
       and date_trunc('month', c.created_at at time zone 'Europe/London')
         = date_trunc('month', now() at time zone 'Europe/London')
       and not exists (select 1 from contact_tags t
         where t.workspace_id = c.workspace_id and t.contact_id = c.id and t.tag_id = $2)`,
    [workspaceId, tag],
  );
  return row.contacts;
}

/** This month in London: `2026-11`. */
export const thisMonth = (): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone: 'Europe/London', dateStyle: 'short' })
    .format(new Date())
    .slice(0, 7);

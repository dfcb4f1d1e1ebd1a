import { sql } from 'kysely';
import type { Fragment, TenantTx } from '#platform/server/database.ts';
import type { Person, PersonalData } from '#platform/server/feature.ts';
import type { ImportCheck, ImportNotes } from '../../contract.ts';

/** Rows `s` of JSON that an address is written in. */
const mentions = ({ local, domain }: Person): Fragment =>
  sql`strpos(lower(s.value::text), ${`${local}@${domain}`}) > 0`;

/**
 * The rows of files that were left out, of which a record keeps some, and what checks and notes of
 * files show. The files themselves and the receipts go after the days that the settings say.
 */
export const personal: PersonalData = {
  async export(tx, person) {
    const { rows } = await sql<{ fileName: string; row: unknown; at: Date }>`
      select i.file_name as "fileName", s.value as row, i.created_at as at
      from imports i cross join jsonb_array_elements(i.samples) s
      where i.workspace_id = ${person.workspaceId} and ${mentions(person)} order by i.id`.execute(tx);
    return rows.length > 0 ? { rowsLeftOut: rows } : {};
  },
  async erase(tx, person) {
    await sql`
      update imports i
      set samples = (
        select coalesce(jsonb_agg(s.value order by s.place), '[]')
        from jsonb_array_elements(i.samples) with ordinality s (value, place) where not ${mentions(person)}
      )
      where i.workspace_id = ${person.workspaceId} and jsonb_typeof(i.samples) = 'array'
        and exists (select from jsonb_array_elements(i.samples) s (value) where ${mentions(person)})`.execute(
      tx,
    );
    await blankShown(tx, person);
  },
};

/** Blanks the person in the checks of files that wait, and in the notes of those that do not. */
async function blankShown(tx: TenantTx, { workspaceId, ...person }: Person): Promise<void> {
  const address = `${person.local}@${person.domain}`;
  const names = (shown: Fragment) => sql`strpos(lower(${shown}::text), ${address}) > 0`;
  const { rows } = await sql<{ id: number; check: ImportCheck | null; notes: ImportNotes | null }>`
    select id, dry_run as check, notes from imports
    where workspace_id = ${workspaceId} and (${names(sql`dry_run`)} or ${names(sql`notes`)})
    for update`.execute(tx);
  for (const { id, check, notes } of rows)
    await sql`
      update imports set dry_run = ${check && JSON.stringify(withoutPerson(check, address))}::jsonb,
        notes = ${notes && JSON.stringify(notes, blanking(address))}::jsonb
      where workspace_id = ${workspaceId} and id = ${id}`.execute(tx);
}

/** Of a row that names the address, the other cells are the person's too. */
function withoutPerson({ sample, columns, ...rest }: ImportCheck, address: string): unknown {
  const isFirst = columns.some(({ firstValue }) => isNamed(firstValue, address));
  return {
    ...JSON.parse(JSON.stringify(rest, blanking(address))),
    sample: sample.filter(({ text }) => !isNamed(text, address)),
    columns: isFirst ? columns.map((column) => ({ ...column, firstValue: '' })) : columns,
  };
}

const isNamed = (text: string, address: string): boolean => text.toLowerCase().includes(address);

/** For `JSON.stringify`: blanks the texts that name the address. */
const blanking = (address: string) => (_key: string, one: unknown) =>
  typeof one === 'string' && isNamed(one, address) ? '' : one;

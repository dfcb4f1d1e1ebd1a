import { sql } from 'kysely';
import { domainOf, listFields } from '#features/audience/server/index.ts';
import type { StoredContact } from '#features/contacts/rules.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { CheckedField } from '#platform/server/feature.ts';
import type { ResponseOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import { type listSegmentFields, operatorList } from '../contract.ts';
import type { FieldRule, Option } from '../rules/field.ts';
import { attributeField, keyOfAttribute, lastActivityField, ownFields } from '../rules/own-fields.ts';
import { type LastActivity, lastActivityDay } from './conditions.ts';

/** A field with what only the database knows about it. */
export interface SegmentField extends FieldRule {
  /** What can be chosen, where each workspace has its own: at most 200, for the editor. */
  offered?(tx: TenantTx, workspaceId: number): Promise<Option[]>;
  /**
   * Those options that a condition may mean. `named`: only those with these values are asked for.
   * Absent: those that are offered.
   */
  find?(tx: TenantTx, workspaceId: number, named: readonly string[] | null): Promise<Option[]>;
  /** What a contact has, where the contact itself does not say. */
  read?(tx: TenantTx, workspaceId: number, contact: StoredContact): Promise<readonly string[]>;
}

/** A field that a feature adds to segments: for `segmentFields`. */
export const segmentField = (field: SegmentField): CheckedField => field as unknown as CheckedField;

/** All fields of the product. */
export interface Fields {
  readonly all: readonly SegmentField[];
  /** Throws `invalid_input` for a field that is not known. */
  find(key: string): SegmentField;
}

/**
 * Throws a `RangeError` when two features add the same field. `sources` report when contacts did
 * something.
 */
export function gatherFields(added: readonly CheckedField[], sources: readonly LastActivity[] = []): Fields {
  const all: SegmentField[] = [
    ...ownFields(domainOf),
    { ...lastActivityField, read: (tx, ...contact) => readLastActivity(tx, sources, ...contact) },
    ...(added as unknown as SegmentField[]),
  ];
  const byKey = new Map<string, SegmentField>();
  for (const field of all) {
    if (byKey.has(field.key)) throw new RangeError(`The field ${field.key} is added twice.`);
    byKey.set(field.key, field);
  }
  return {
    all,
    find(key) {
      const field = byKey.get(key) ?? attributeField(key);
      if (!field) {
        const known = [...byKey.keys(), keyOfAttribute('<column>')].join(', ');
        throw new AppError('invalid_input', `“${key}” is no field of contacts. There are: ${known}.`);
      }
      return field;
    },
  };
}

async function readLastActivity(
  tx: TenantTx,
  sources: readonly LastActivity[],
  workspaceId: number,
  { id }: StoredContact,
): Promise<string[]> {
  const { rows } = await sql<{ day: string | null }>`
    select ${lastActivityDay(sources, workspaceId)} as day from contacts c
    where c.workspace_id = ${workspaceId} and c.id = ${id}`.execute(tx);
  return rows.flatMap(({ day }) => day ?? []);
}

type Listed = ResponseOf<typeof listSegmentFields>;

/** What the editor offers: the fields, those of imported columns last. */
export async function listFieldsOf(fields: Fields, tx: TenantTx, workspaceId: number): Promise<Listed> {
  const listed: Listed['fields'] = [];
  for (const field of fields.all) {
    const options = field.options ?? (await field.offered?.(tx, workspaceId)) ?? null;
    listed.push(told(field, options));
  }
  const { items } = await listFields(tx, workspaceId);
  for (const name of items) {
    const field = attributeField(keyOfAttribute(name));
    if (field) listed.push(told(field, null));
  }
  return { fields: listed, operators: operatorList };
}

const told = (
  { key, label, group, type, operators }: FieldRule,
  options: readonly Option[] | null,
): Listed['fields'][number] => ({
  ...{ key, label, group, type },
  operators: [...operators],
  options: options?.map(({ value, label }) => ({ value, label })) ?? null,
});

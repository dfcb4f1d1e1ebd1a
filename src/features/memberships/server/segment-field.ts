import { mostGroups } from '#features/audience/contract.ts';
import { choiceField } from '#features/segments/rules/field.ts';
import { anyOf, type Meaning, noneOf } from '#features/segments/rules/meaning.ts';
import { segmentField } from '#features/segments/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { CheckedField } from '#platform/server/feature.ts';
import type { GroupKind } from './group-kind.ts';
import { selectChoices, selectGroupsOfContact } from './group-queries.ts';

/**
 * The field of segments that asks for lists or tags. Rules may name one by its number or its name.
 * A list that fills itself is meant only where it is named: whoever asks for no list, or for a part
 * of a name, asks for those that people are put on. Otherwise its own rules could mean itself.
 */
export function segmentFieldOf(
  kind: GroupKind,
  naming: { key: string; label: string; noun: string },
): CheckedField {
  const leaf = (ids: readonly number[]): Meaning => ({ condition: kind.kind, value: ids });
  const field = choiceField({ group: 'Contact', ...naming }, (value) => leaf([Number(value)]));
  const optionsOf = async (tx: TenantTx, workspaceId: number, withDynamic: boolean) =>
    (await selectChoices(tx, workspaceId, kind, withDynamic)).map(({ id, name }) => ({
      value: String(id),
      label: name,
      text: name,
    }));
  return segmentField({
    ...field,
    keepsValues: true,
    meaning(test, chosen) {
      const ids = chosen.map(({ value }) => Number(value));
      const some: Meaning[] = [];
      for (let at = 0; at < ids.length; at += mostGroups) some.push(leaf(ids.slice(at, at + mostGroups)));
      return test.is === 'empty' ? noneOf(some) : anyOf(some);
    },
    offered: (tx, workspaceId) => optionsOf(tx, workspaceId, true),
    find: (tx, workspaceId, named) => optionsOf(tx, workspaceId, named !== null),
    async read(tx, workspaceId, contact) {
      const groups = await selectGroupsOfContact(tx, workspaceId, kind, contact.id);
      return groups.map(({ name }) => name);
    },
  });
}

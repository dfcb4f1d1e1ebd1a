import { mostGroups } from '#features/audience/contract.ts';
import { choiceField } from '#features/segments/rules/field.ts';
import { anyOf, type Meaning, noneOf } from '#features/segments/rules/meaning.ts';
import { segmentField } from '#features/segments/server/index.ts';
import type { CheckedField } from '#platform/server/feature.ts';
import type { GroupKind } from './group-kind.ts';
import { selectChoices, selectGroupsOfContact } from './group-queries.ts';

/**
 * The field of segments that asks for lists or tags. Rules may name one by its number or its name.
 * Lists that fill themselves are not among them.
 */
export function segmentFieldOf(
  kind: GroupKind,
  naming: { key: string; label: string; noun: string; whyAbsent?: string },
): CheckedField {
  const leaf = (ids: readonly number[]): Meaning => ({ condition: kind.kind, value: ids });
  const field = choiceField({ group: 'Contact', ...naming }, (value) => leaf([Number(value)]));
  return segmentField({
    ...field,
    meaning(test, chosen) {
      const ids = chosen.map(({ value }) => Number(value));
      const some: Meaning[] = [];
      for (let at = 0; at < ids.length; at += mostGroups) some.push(leaf(ids.slice(at, at + mostGroups)));
      return test.is === 'empty' ? noneOf(some) : anyOf(some);
    },
    async offered(tx, workspaceId) {
      const groups = await selectChoices(tx, workspaceId, kind);
      return groups.map(({ id, name }) => ({ value: String(id), label: name, text: name }));
    },
    async read(tx, workspaceId, contact) {
      const groups = await selectGroupsOfContact(tx, workspaceId, kind, contact.id);
      return groups.map(({ name }) => name);
    },
  });
}

import { choiceField, type Option } from '#features/segments/rules/field.ts';
import { type SegmentField, segmentField } from '#features/segments/server/index.ts';
import { type ImportName, selectImportNames } from './record-queries.ts';

/** As many as somebody may want to choose from. */
const mostOffered = 200;

const optionOf = ({ id, fileName }: ImportName): Option => ({ value: String(id), label: fileName });

/** Segments of those that an import added. */
const addedByImport: SegmentField = {
  ...choiceField(
    {
      key: 'import',
      label: 'Added by Import',
      group: 'Contact',
      noun: 'import',
      operators: ['equals', 'not_equals', 'one_of', 'not_one_of'],
      has: ({ importId }) => (importId === null ? [] : [String(importId)]),
    },
    (value) => ({ condition: 'import', value: Number(value) }),
  ),
  async offered(tx, workspaceId) {
    return (await selectImportNames(tx, workspaceId, { ids: null, most: mostOffered })).map(optionOf);
  },
  async find(tx, workspaceId, named) {
    const ids = named?.map(Number).filter((id) => Number.isSafeInteger(id) && id > 0) ?? [];
    return (await selectImportNames(tx, workspaceId, { ids, most: ids.length })).map(optionOf);
  },
};

export const importSegmentFields = [segmentField(addedByImport)];

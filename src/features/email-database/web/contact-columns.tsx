import { basisLabels } from '#features/basis/web/index.ts';
import type { Contact } from '#features/contacts/contract.ts';
import { kindLabels, ukClassLabels, verdictLabels, verdictTones } from '#features/contacts/web/index.ts';
import { AddressText } from '#platform/web/components/address-text.tsx';
import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import { StatusBadge } from '#platform/web/components/status-badge.tsx';
import { TagMarks } from '#platform/web/components/tag-marks.tsx';
import { capitalise, formatNumber, formatShortDate } from '#platform/web/format.ts';

const withTitle = (text: string | null) => text && <span title={text}>{text}</span>;
const none = <span style={{ color: 'var(--ui-dim)' }}>–</span>;

/** A column of text that may be long. */
const text = (
  key: string,
  head: string,
  width: number,
  read: (contact: Contact) => string | null,
): Column<Contact> & { width: number } => ({
  key,
  head,
  cell: (contact) => withTitle(read(contact)),
  width,
  tone: 'dim',
});

type Fixed = Column<Contact> & { width: number };

const address: Column<Contact> = {
  key: 'address',
  head: 'Address',
  cell: (contact) => <AddressText address={contact.address} />,
  tone: 'strong',
  sortable: true,
};

/** Every column but the address and the extra fields, in the order offered. */
const offered: readonly Fixed[] = [
  {
    key: 'status',
    head: 'Status',
    cell: (contact) => <StatusBadge status={contact.status} />,
    width: 118,
    skeleton: 58,
  },
  {
    key: 'verdict',
    head: 'Verdict',
    cell: ({ verification }) =>
      verification ? (
        <StatusBadge
          status={verification.verdict}
          label={verdictLabels[verification.verdict]}
          tone={verdictTones[verification.verdict]}
        />
      ) : (
        none
      ),
    width: 96,
    skeleton: 48,
    sortable: true,
  },
  {
    key: 'ukClass',
    head: 'UK class',
    cell: (contact) =>
      contact.ukClass === 'uk' ? (
        ukClassLabels.uk
      ) : (
        <span style={{ color: 'var(--ui-dim)' }}>{ukClassLabels[contact.ukClass]}</span>
      ),
    width: 88,
    skeleton: 40,
  },
  text('name', 'Name', 180, ({ name }) => name),
  text('firstName', 'First name', 130, ({ firstName }) => firstName),
  text('lastName', 'Last name', 130, ({ lastName }) => lastName),
  { ...text('domain', 'Domain', 190, ({ domain }) => domain), sortable: true },
  {
    key: 'kind',
    head: 'Kind',
    cell: ({ verification }) => (verification?.kind ? kindLabels[verification.kind] : none),
    width: 108,
    skeleton: 56,
  },
  {
    key: 'risk',
    head: 'Risk',
    cell: ({ verification }) => (verification ? formatNumber(verification.risk) : none),
    width: 76,
    numeric: true,
    skeleton: 20,
    sortable: true,
  },
  {
    key: 'verifiedAt',
    head: 'Verified',
    cell: ({ verification }) => (verification ? <DateText value={verification.checkedAt} /> : none),
    width: 112,
    numeric: true,
    tone: 'dim',
  },
  {
    key: 'tags',
    head: 'Tags',
    cell: ({ tags }) => tags.length > 0 && <TagMarks tags={tags} />,
    width: 190,
    skeleton: 80,
  },
  text('lists', 'Lists', 180, ({ lists }) => lists.map(({ name }) => name).join(', ') || null),
  text('marketingBasis', 'Marketing basis', 160, ({ marketing }) =>
    marketing.basis === 'unknown' ? null : basisLabels[marketing.basis],
  ),
  text('source', 'Source', 160, ({ source }) => source),
  text('date', 'Date in the file', 130, ({ date }) => date),
  text('notes', 'Notes', 200, ({ notes }) => notes),
  {
    key: 'createdAt',
    head: 'Added',
    cell: (contact) => <DateText value={contact.createdAt} />,
    width: 112,
    numeric: true,
    tone: 'dim',
    sortable: true,
  },
];

const fieldPrefix = 'field:';

/** An extra field as a column. */
const fieldColumn = (name: string): Fixed =>
  text(`${fieldPrefix}${name}`, capitalise(name), 150, ({ attributes }) =>
    Object.hasOwn(attributes, name) ? (attributes[name] ?? null) : null,
  );

/** The import by the name of its file, if known. */
const importColumn = (fileNames: ReadonlyMap<number, string>): Fixed =>
  text('import', 'Import', 180, ({ importId }) =>
    importId === null ? 'Added by hand' : (fileNames.get(importId) ?? `Number ${formatNumber(importId)}`),
  );

const noNames: ReadonlyMap<number, string> = new Map();

/**
 * What can be shown besides the address: the fields of every contact, the import, then the
 * workspace's extra fields.
 */
export function columnChoices(fields: readonly string[]): { key: string; label: string }[] {
  const at = offered.findIndex(({ key }) => key === 'source') + 1;
  const all = offered.toSpliced(at, 0, importColumn(noNames));
  return [...all, ...fields.map(fieldColumn)].map(({ key, head }) => ({ key, label: String(head) }));
}

/** A column by its key. Undefined when this version has no such column. */
function columnOf(key: string, fileNames: ReadonlyMap<number, string>): Fixed | undefined {
  if (key === 'import') return importColumn(fileNames);
  if (key.startsWith(fieldPrefix) && key.length > fieldPrefix.length)
    return fieldColumn(key.slice(fieldPrefix.length));
  return offered.find((column) => column.key === key);
}

/** A column's label. Undefined when this version has no such column. */
export const columnLabel = (key: string): string | undefined => {
  const column = columnOf(key, noNames);
  return column && String(column.head);
};

/** A narrower address column is hardly readable. */
const addressWidth = 260;
const beside = 90;

/** The chosen columns after the address, and the width they need. */
export function chosenColumns(
  keys: readonly string[],
  fileNames: ReadonlyMap<number, string>,
): { columns: Column<Contact>[]; minWidth: number } {
  const chosen = keys.flatMap((key) => columnOf(key, fileNames) ?? []);
  const minWidth = chosen.reduce((sum, { width }) => sum + width, addressWidth + beside);
  return { columns: [address, ...chosen], minWidth };
}

/** The columns when nobody chose any and there is room for all. */
export const usualKeys: readonly string[] = ['status', 'verdict', 'ukClass', 'name', 'source', 'createdAt'];

const shares: Record<string, string> = { name: '17%', source: '14%' };

const usual: readonly Column<Contact>[] = usualKeys
  .flatMap((key) => columnOf(key, noNames) ?? [])
  .map((column) => ({ ...column, width: shares[column.key] ?? column.width }));

/**
 * The table's columns when nobody chose any: always the address, its status and when it was added;
 * the others if there is room.
 */
export function usualColumns(room: {
  verdict: boolean;
  ukClass: boolean;
  name: boolean;
  source: boolean;
}): Column<Contact>[] {
  const isRoomFor = (key: string) => !Object.hasOwn(room, key) || room[key as keyof typeof room];
  return [address, ...usual.filter(({ key }) => isRoomFor(key))];
}

/** Only what needs attention, because there is little room. */
const verdictOnPhone = ({ verification }: Contact): string | undefined =>
  verification && verification.verdict !== 'valid' ? verdictLabels[verification.verdict] : undefined;

export const contactOnPhone = (contact: Contact): PhoneRow => ({
  title: <AddressText address={contact.address} />,
  aside: formatShortDate(contact.createdAt),
  second: (
    <>
      <StatusBadge status={contact.status} />
      <span style={{ overflow: 'hidden', textOverflow: 'ellipsis' }}>
        {[verdictOnPhone(contact), ukClassLabels[contact.ukClass], contact.source]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </>
  ),
});

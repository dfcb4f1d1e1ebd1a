import { TextButton } from '#platform/web/components/links.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { formatCount } from '#platform/web/format.ts';
import type { ImportCheck } from '../contract.ts';
import { otherEmailColumns } from '../rules/email-columns.ts';

interface OtherAddressesProps {
  columns: ImportCheck['columns'];
  targets: readonly string[];
  locked: boolean;
  onUse: (index: number) => void;
}

/** Says which further columns hold addresses, and imports another one instead. */
export function OtherAddresses({ columns, targets, locked, onUse }: OtherAddressesProps) {
  const email = targets.indexOf('email');
  const used = columns[email];
  const others = otherEmailColumns(columns, email);
  if (!used || others.length === 0) return null;
  const told = others.map(({ name, addresses }) => `“${name}” (${formatCount(addresses, 'row')})`);
  return (
    <Note tone="warning" title={`${formatCount(others.length + 1, 'column')} hold addresses`}>
      <p>
        Only “{used.name}” is imported, with an address in {formatCount(used.addresses, 'row')} of those
        looked at. The others: {told.join(', ')}.
      </p>
      {!locked &&
        others.slice(0, 3).map(({ index, name }) => (
          <TextButton key={index} onClick={() => onUse(index)}>
            Use “{name}” instead
          </TextButton>
        ))}
    </Note>
  );
}

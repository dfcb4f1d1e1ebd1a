import { TextButton } from '#platform/web/components/links.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
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
  const told = others.map(({ name, addresses }) => `“${name}” holds one in ${formatNumber(addresses)}.`);
  return (
    <Note tone="warning" title={`${formatCount(others.length + 1, 'column')} hold addresses`}>
      Only “{used.name}” is imported: it holds an address in {formatNumber(used.addresses)} of the rows looked
      at. {told.join(' ')}
      {!locked &&
        others.slice(0, 3).map(({ index, name }) => (
          <div key={index}>
            <TextButton onClick={() => onUse(index)}>Use “{name}” instead</TextButton>
          </div>
        ))}
    </Note>
  );
}

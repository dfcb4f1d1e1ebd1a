import { TextButton } from '#platform/web/components/links.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import type { ImportCheck } from '../../contract.ts';
import { otherEmailColumns } from '../../rules/email-columns.ts';
import type { AddressChoice } from '../../rules/row-addresses.ts';

interface OtherAddressesProps {
  columns: ImportCheck['columns'];
  targets: readonly string[];
  addresses: AddressChoice;
  locked: boolean;
  onUse: (index: number) => void;
  onUseAll: (indexes: number[], addresses: AddressChoice) => void;
}

/** Says which columns hold addresses, and asks which of them are imported. */
export function OtherAddresses(props: OtherAddressesProps) {
  const { columns, targets, addresses, locked, onUse, onUseAll } = props;
  const used = targets.flatMap((target, index) => (target === 'email' ? [index] : []));
  const others = otherEmailColumns(columns, used);
  if (used.length + others.length < 2) return null;
  const all = [...used, ...others.map(({ index }) => index)].sort((a, b) => a - b);
  const told = all.map((index) => `“${nameOf(columns, index)}” ${formatNumber(addressesIn(columns, index))}`);
  return (
    <Note
      tone={used.length > 1 ? 'info' : 'warning'}
      title={`${formatCount(all.length, 'column')} hold addresses`}
    >
      Of the rows looked at: {told.join(', ')}. {sayUsed(columns, used, addresses)}
      {!locked && (
        <>
          {(others.length > 0 || addresses !== 'first') && (
            <Choice onClick={() => onUseAll(all, 'first')}>Use the first that is filled</Choice>
          )}
          {(others.length > 0 || addresses !== 'each') && (
            <Choice onClick={() => onUseAll(all, 'each')}>Import each as a contact</Choice>
          )}
          {(used.length > 1 ? all : others.map(({ index }) => index)).slice(0, 3).map((index) => (
            <Choice key={index} onClick={() => onUse(index)}>
              Use only “{nameOf(columns, index)}”
            </Choice>
          ))}
        </>
      )}
    </Note>
  );
}

function Choice({ children, onClick }: { children: React.ReactNode; onClick: () => void }) {
  return (
    <div>
      <TextButton onClick={onClick}>{children}</TextButton>
    </div>
  );
}

const nameOf = (columns: ImportCheck['columns'], index: number): string => columns[index]?.name ?? '';
const addressesIn = (columns: ImportCheck['columns'], index: number): number =>
  columns[index]?.addresses ?? 0;

function sayUsed(columns: ImportCheck['columns'], used: readonly number[], addresses: AddressChoice): string {
  if (used.length === 1) return `Only “${nameOf(columns, used[0] as number)}” is imported.`;
  return addresses === 'each'
    ? 'Each address becomes a contact of its own.'
    : 'From each row the first that is filled is imported.';
}

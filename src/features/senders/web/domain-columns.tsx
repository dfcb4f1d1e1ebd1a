import type { Column, PhoneRow } from '#platform/web/components/data-table-props.ts';
import { DateText } from '#platform/web/components/date-text.tsx';
import type { CheckName, SenderDomain } from '../contract.ts';
import { CheckResult, DomainState } from './marks.tsx';

const checkColumn = (name: CheckName, head: string): Column<SenderDomain> => ({
  key: name,
  head,
  width: 120,
  cell: ({ checks }) => {
    const check = checks.find((one) => one.name === name);
    return check && <CheckResult result={check.result} />;
  },
});

const Checked = ({ checkedAt }: SenderDomain) =>
  checkedAt === null ? 'Never' : <DateText value={checkedAt} />;

export const domainColumns: Column<SenderDomain>[] = [
  { key: 'domain', head: 'Domain', tone: 'strong', cell: ({ domain }) => domain },
  { key: 'state', head: 'State', width: 160, cell: DomainState },
  checkColumn('dkim', 'DKIM'),
  checkColumn('spf', 'SPF'),
  checkColumn('dmarc', 'DMARC'),
  { key: 'checked', head: 'Checked', width: 100, numeric: true, tone: 'dim', cell: Checked },
];

export const domainOnPhone = (row: SenderDomain): PhoneRow => ({
  title: row.domain,
  aside: <DomainState {...row} />,
  second: (
    <>
      Checked: <Checked {...row} />
    </>
  ),
});

import { Card } from '#platform/web/components/card.tsx';
import { ErrorLine } from '#platform/web/components/states.tsx';
import { formatCount, formatShare } from '#platform/web/format.ts';
import type { Campaign } from '../../contract.ts';
import { type BarItem, BarList } from './bar-list.tsx';
import classes from './countries.module.css';
import { useReport } from './use-report.ts';

const home = 'GB';
/** Countries with a line of their own. */
const most = 4;
const names = new Intl.DisplayNames('en-GB', { type: 'region', fallback: 'code' });

/** Where people opened for the first time, at home and elsewhere. */
export function CountriesCard({ campaign }: { campaign: Campaign }) {
  const { data, error } = useReport(campaign);
  if (error) return <ErrorLine title="The countries could not be loaded" error={error} />;
  if (!data) return null;
  const found = data.countries.filter(({ opened }) => opened > 0);
  const all = found.reduce((sum, { opened }) => sum + opened, 0);
  const atHome = found.find(({ country }) => country === home)?.opened ?? 0;
  const abroad = elsewhere(found);
  const unknown = Math.max(0, campaign.opened - all);
  return (
    <Card title="UK and world" action={<span className={classes.by}>by opens</span>}>
      {all === 0 ? (
        <p className={classes.note}>No open has told its country yet.</p>
      ) : (
        <>
          <p className={classes.heads}>
            <span>
              <b>{formatShare(atHome, all)}</b> UK
            </span>
            <span>
              World <b>{formatShare(all - atHome, all)}</b>
            </span>
          </p>
          <span className={classes.split} aria-hidden>
            <span style={{ width: `${(100 * atHome) / all}%` }} />
          </span>
          <BarList
            label="Other countries"
            items={abroad}
            all={all}
            full={Math.max(...abroad.map(({ people }) => people))}
            tone="rest"
          />
        </>
      )}
      {unknown > 0 && (
        <p className={classes.note}>
          {formatCount(unknown, 'more open')} came through providers and networks that do not say where
          {unknown === 1 ? ' the reader is.' : ' readers are.'}
        </p>
      )}
    </Card>
  );
}

/** The countries abroad, most opens first, and the rest of them in one line. */
function elsewhere(found: readonly { country: string; opened: number }[]): BarItem[] {
  const abroad = found.filter(({ country }) => country !== home);
  const own = abroad.length > most + 1 ? most : abroad.length;
  const rest = abroad.slice(own).reduce((sum, { opened }) => sum + opened, 0);
  const lines = abroad.slice(0, own).map(({ country, opened }) => ({
    ...{ key: country, label: names.of(country) ?? country, people: opened },
    mark: <Code text={country} />,
  }));
  return rest > 0
    ? [...lines, { key: 'rest', label: 'Elsewhere', people: rest, mark: <Code text="··" /> }]
    : lines;
}

const Code = ({ text }: { text: string }) => (
  <span className={classes.code} aria-hidden>
    {text}
  </span>
);

import { Card } from '#platform/web/components/card.tsx';
import { formatNumber } from '#platform/web/format.ts';
import type { Campaign } from '../contract.ts';
import classes from './campaigns.module.css';
import { useReport } from './use-report.ts';

/** The links of the email and how often they were followed. Nothing where it has none. */
export function LinksCard({ campaign, withMachines }: { campaign: Campaign; withMachines: boolean }) {
  const { data } = useReport(campaign);
  const links = new Map<string, number>();
  for (const { url, clicks, machineClicks } of data?.links ?? [])
    links.set(url, (links.get(url) ?? 0) + clicks + (withMachines ? machineClicks : 0));
  if (links.size === 0) return null;
  return (
    <Card title="Links" flush>
      <table className={classes.links}>
        <thead>
          <tr>
            <th scope="col">Link</th>
            <th scope="col">Clicks</th>
          </tr>
        </thead>
        <tbody>
          {[...links]
            .sort(([, one], [, other]) => other - one)
            .map(([url, clicks]) => (
              <tr key={url}>
                <td>{url.replace(/^https?:\/\//, '')}</td>
                <td>{formatNumber(clicks)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </Card>
  );
}

import { Switch, TextInput } from '@mantine/core';
import { Card } from '#platform/web/components/card.tsx';
import type { CampaignUtm } from '../../contract.ts';
import type { Draft } from './draft.ts';
import classes from './editor.module.css';

interface Props {
  draft: Draft;
  onChange: (patch: Partial<Draft>) => void;
}

const fields: { key: keyof CampaignUtm; label: string }[] = [
  { key: 'source', label: 'Source' },
  { key: 'medium', label: 'Medium' },
  { key: 'campaign', label: 'Campaign' },
  { key: 'term', label: 'Term (optional)' },
  { key: 'content', label: 'Content (optional)' },
];

/** “Spring: news & tea” as analytics write it: “spring-news-tea”. */
const slugOf = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-|-$/g, '') || 'campaign';

/** What is counted, and what the links tell the analytics of the pages they lead to. */
export function TrackingCard({ draft: { name, trackOpens, trackClicks, utm }, onChange }: Props) {
  const start = { source: 'email-manager', medium: 'email', campaign: slugOf(name).slice(0, 100) };
  return (
    <Card title="Counting">
      <div className={classes.stack}>
        <div className={classes.switches}>
          <Switch
            label="Count opens"
            checked={trackOpens}
            onChange={({ currentTarget: { checked } }) => onChange({ trackOpens: checked })}
          />
          <Switch
            label="Count clicks"
            checked={trackClicks}
            onChange={({ currentTarget: { checked } }) => onChange({ trackClicks: checked })}
          />
          <Switch
            label="UTM tags on links"
            checked={utm !== null}
            onChange={({ currentTarget: { checked } }) => onChange({ utm: checked ? start : null })}
          />
        </div>
        {utm && (
          <div className={classes.tags}>
            {fields.map(({ key, label }) => (
              <TextInput
                key={key}
                label={label}
                maxLength={100}
                autoComplete="off"
                value={utm[key] ?? ''}
                onChange={({ currentTarget: { value } }) => onChange({ utm: { ...utm, [key]: value } })}
              />
            ))}
          </div>
        )}
      </div>
    </Card>
  );
}

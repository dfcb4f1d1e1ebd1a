import { Button, NumberInput, SegmentedControl, Select, Switch } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { Card } from '#platform/web/components/card.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import type { Patch } from '#platform/web/saver.ts';
import { type AbTest, type Difference, mostVariants, variantName } from '../../../contract/ab-test.ts';
import { useAudienceCount } from '../../audience-fields.tsx';
import type { Draft } from '../draft.ts';
import classes from './ab-test.module.css';
import { newTest, type TestDraft, withOneMore, withoutVariant, withVariant } from './test-draft.ts';
import { VariantFields } from './variant-fields.tsx';

interface Props {
  draft: Draft;
  onChange: (patch: Patch<Draft>) => void;
}

const differs: { value: Difference; label: string }[] = [
  { value: 'subject', label: 'Subject' },
  { value: 'sender', label: 'Sender' },
  { value: 'content', label: 'Content' },
  { value: 'hour', label: 'Hour' },
];
const decides: { value: AbTest['decideBy']; label: string }[] = [
  { value: 'clicks', label: 'The most clicks' },
  { value: 'opens', label: 'The most opens' },
  { value: 'hand', label: 'Somebody here' },
];
const whole = { clampBehavior: 'strict', allowDecimal: false, allowNegative: false } as const;

/** Tries some variants on a share of the recipients first. */
export function AbTestCard({ draft, onChange }: Props) {
  const { abTest } = draft;
  // A template comes late: by then the test may be another one, or none.
  const change: TestProps['onChange'] = (next) =>
    onChange((now) => ({ abTest: now.abTest && next(now.abTest) }));
  return (
    <Card
      title="A/B test"
      action={
        <Switch
          label="Try variants first"
          checked={abTest !== null}
          onChange={({ currentTarget: { checked } }) => onChange({ abTest: checked ? newTest() : null })}
        />
      }
    >
      {abTest === null ? (
        <p className={classes.words}>
          Some recipients get different subjects, senders, contents or hours. The others get the one that did
          best.
        </p>
      ) : (
        <div className={classes.stack}>
          <SegmentedControl
            aria-label="What differs"
            className={classes.differs}
            data={differs}
            value={abTest.differs}
            onChange={(value) => change((now) => ({ ...now, differs: value as Difference }))}
          />
          <Variants draft={draft} test={abTest} onChange={change} />
          <Decision test={abTest} onChange={change} />
          <Shares draft={draft} test={abTest} />
        </div>
      )}
    </Card>
  );
}

interface TestProps {
  test: TestDraft;
  onChange: (next: (now: TestDraft) => TestDraft) => void;
}

function Variants({ draft, test, onChange }: TestProps & { draft: Draft }) {
  const { differs: what, variants } = test;
  const own = {
    subject: draft.subject || 'The subject above',
    sender: draft.sender.fromName ?? 'The sender above',
    content: 'The message below',
    hour: 'When the campaign starts',
  }[what];
  return (
    <ol className={classes.variants}>
      <li className={classes.variant}>
        <b className={classes.letter}>A</b>
        <span className={classes.own}>{own}</span>
      </li>
      {variants.map((variant, place) => (
        <li key={variant.key} className={classes.variant}>
          <b className={classes.letter}>{variantName(place + 2)}</b>
          <VariantFields
            name={variantName(place + 2)}
            differs={what}
            writing={draft.writing}
            variant={variant}
            onChange={(patch) => onChange((now) => withVariant(now, variant.key, patch))}
            onRemove={variants.length > 1 ? () => onChange((now) => withoutVariant(now, variant.key)) : null}
          />
        </li>
      ))}
      {variants.length < mostVariants - 1 && (
        <li>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconPlus size={16} stroke={1.6} />}
            onClick={() => onChange(withOneMore)}
          >
            Add a variant
          </Button>
        </li>
      )}
    </ol>
  );
}

const Decision = ({ test: { share, decideBy, hours }, onChange }: TestProps) => (
  <div className={classes.decision}>
    <NumberInput
      label="Recipients in the test"
      suffix="%"
      {...{ ...whole, min: 5, max: 100 }}
      value={share}
      onChange={(value) => onChange((now) => ({ ...now, share: Number(value) || 20 }))}
    />
    <Select
      label="What decides"
      allowDeselect={false}
      data={decides}
      value={decideBy}
      onChange={(value) => onChange((now) => ({ ...now, decideBy: value as AbTest['decideBy'] }))}
    />
    {decideBy !== 'hand' && (
      <NumberInput
        label="Decided after"
        suffix={hours === 1 ? ' hour' : ' hours'}
        {...{ ...whole, min: 1, max: 72 }}
        value={hours}
        onChange={(value) => onChange((now) => ({ ...now, hours: Number(value) || 4 }))}
      />
    )}
  </div>
);

/** With fewer than this for each variant, the difference has to be large to be seen. */
const enough = 500;

/** What the shares are in people. */
function Shares({ draft: { audience }, test: { share, variants } }: { draft: Draft; test: TestDraft }) {
  const { data } = useAudienceCount(audience);
  if (!data) return null;
  const tested = Math.ceil((data.recipients * share) / 100);
  const each = Math.floor(tested / (variants.length + 1));
  const rest = data.recipients - tested;
  return (
    <p className={classes.words} aria-live="polite">
      {sharesInWords(each, rest)}
    </p>
  );
}

const sharesInWords = (each: number, rest: number): string =>
  [
    `About ${formatCount(each, 'person gets', 'people get')} each variant`,
    rest > 0 ? `, and ${formatNumber(rest)} get the one that did best.` : '.',
    each < enough ? ' With so few, only a large difference tells more than chance.' : '',
  ].join('');

import { Switch } from '@mantine/core';
import { useId } from 'react';
import { FateDot } from '#platform/web/components/fate-bar.tsx';
import type { CleanReasonView } from '../contract.ts';
import classes from './clean-preview.module.css';
import { colourOf, figureOf, mayBeAny, reasonsInWords } from './clean-words.ts';

const shownDomains = 4;
const shownSamples = 3;

interface ReasonRowProps {
  view: CleanReasonView;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** One reason of a clean: its switch and number, its largest domains and some addresses. */
export function ReasonRow({ view, checked, onChange }: ReasonRowProps) {
  const { reason, contacts, isEstimate, domains, samples } = view;
  const isOn = checked && mayBeAny(view);
  const { label, what, fate } = reasonsInWords[reason];
  const id = useId();
  return (
    <li className={classes.reason} data-off={!checked || undefined}>
      <Switch
        size="sm"
        label={label}
        aria-describedby={id}
        classNames={{ label: classes.label, body: classes.body }}
        checked={isOn}
        disabled={!mayBeAny(view)}
        onChange={(event) => onChange(event.currentTarget.checked)}
      />
      <span className={classes.count}>
        <FateDot colour={isOn ? colourOf(fate) : 'var(--ui-track)'} />
        {figureOf(contacts, isEstimate)}
      </span>
      <div id={id} className={classes.details}>
        <p>{what}</p>
        {domains.length > 0 && (
          <p>
            {domains.slice(0, shownDomains).map(({ domain, contacts: count }, place) => (
              <span key={domain}>
                {place > 0 && ', '}
                <span className={classes.domain}>{domain}</span>{' '}
                {figureOf(count, isEstimate && reason !== 'invalid')}
              </span>
            ))}
            {domains.length > shownDomains && ' …'}
          </p>
        )}
        {samples.length > 0 && <p className={classes.samples}>{samples.slice(0, shownSamples).join(', ')}</p>}
      </div>
    </li>
  );
}

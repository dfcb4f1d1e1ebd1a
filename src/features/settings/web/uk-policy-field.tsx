import { Radio } from '@mantine/core';
import type { UkPolicy } from '#features/addresses/contract.ts';
import { createUkFilter } from '#features/addresses/rules.ts';
import classes from './settings-page.module.css';

const policies: { value: UkPolicy; label: string; description: string }[] = [
  {
    value: 'suffix',
    label: 'UK endings only',
    description:
      'An address is kept when its domain ends in one of the allowed domains above. With .uk, also .scot, .wales, .cymru and .london.',
  },
  {
    value: 'likely',
    label: 'Also likely UK',
    description:
      'Also UK mail providers and organisations under other endings, such as btinternet.com and bbc.com.',
  },
  {
    value: 'any_but_foreign_cctld',
    label: 'All but foreign',
    description: 'Everything is kept except the endings of other countries, such as .de or .fr.',
  },
];

const examples = ['shop.co.uk', 'btinternet.com', 'glasgow.scot', 'gmail.com', 'acme.com', 'firma.de'];

interface UkPolicyFieldProps {
  value: string;
  /** As the form shows them, saved or not. */
  allowedDomains: string[];
  disabled: boolean;
  error: string | undefined;
  onChange: (value: string) => void;
}

/**
 * Says in plain words which addresses an import and a clean keep as UK, with the effect on
 * well-known ones.
 */
export function UkPolicyField({ value, allowedDomains, disabled, error, onChange }: UkPolicyFieldProps) {
  const keeps = createUkFilter({ allowedDomains, ukPolicy: value as UkPolicy });
  return (
    <div className={classes.wide}>
      <Radio.Group
        label="UK policy"
        description="What the non-UK filter of an import leaves out, and what Clean removes."
        value={value}
        onChange={onChange}
        error={error}
      >
        <div className={classes.policies}>
          {policies.map((policy) => (
            <Radio
              key={policy.value}
              value={policy.value}
              label={policy.label}
              description={policy.description}
              disabled={disabled}
            />
          ))}
        </div>
      </Radio.Group>
      <div className={classes.effect}>
        <p id="uk-effect">With this, addresses at</p>
        <ul className={classes.examples} aria-labelledby="uk-effect">
          {examples.map((domain) => (
            <li key={domain} data-kept={keeps(domain) || undefined}>
              <span>{domain}</span> {keeps(domain) ? 'are kept' : 'are left out'}
            </li>
          ))}
        </ul>
      </div>
    </div>
  );
}

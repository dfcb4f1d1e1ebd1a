import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { listDomainSuppressions, listEmailSuppressions } from '#features/suppressions/contract.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import type { FateCounts, ImportOptions } from '../../contract.ts';
import { settingsQuery } from '../api.ts';
import { keptDomains, type OptionKey, optionKeys, optionLabels } from '../import-words.ts';
import classes from './option-list.module.css';

interface OptionListProps {
  options: ImportOptions;
  onChange: (options: ImportOptions) => void;
  disabled?: boolean;
  /** After a dry run: how many rows each option leaves out. */
  counts?: FateCounts | undefined;
}

const costOf: Record<OptionKey, keyof FateCounts> = {
  removeDuplicates: 'duplicates',
  validateEmails: 'invalid',
  filterNonUk: 'nonUk',
  checkSuppressions: 'suppressed',
};

/**
 * The four options of an import. Each shows what it means here and, after a dry run, how many rows
 * it costs.
 */
export function OptionList({ options, onChange, disabled = false, counts }: OptionListProps) {
  const hints = useHints(options);
  const id = useId();
  return (
    <ul className={classes.list}>
      {optionKeys.map((key) => {
        const cost = counts?.[costOf[key]];
        return (
          <li key={key} className={classes.option}>
            <Checkbox
              label={optionLabels[key]}
              description={hints[key]}
              classNames={{ label: classes.label, description: classes.hint, body: classes.body }}
              checked={options[key]}
              disabled={disabled}
              onChange={(event) => onChange({ ...options, [key]: event.currentTarget.checked })}
              {...(cost === undefined ? {} : { 'aria-describedby': `${id}-${key}` })}
            />
            {cost !== undefined && (
              <span id={`${id}-${key}`} className={classes.cost}>
                {cost === 0 ? '0' : `−${formatNumber(cost)}`}
                <span className={classes.hidden}> rows left out</span>
              </span>
            )}
          </li>
        );
      })}
    </ul>
  );
}

const one = { query: { limit: 1 } };

/**
 * What each option does, given the workspace's settings and suppression list, and this import's
 * policy.
 */
function useHints({ ukPolicy }: ImportOptions): Record<OptionKey, string> {
  const settings = useQuery(settingsQuery).data?.emailValidation;
  const addresses = useQuery(queryOptionsFor(listEmailSuppressions, one)).data?.totalCount;
  const domains = useQuery(queryOptionsFor(listDomainSuppressions, one)).data?.totalCount;
  // A space keeps the line's height until the figures are there.
  const pending = '\u00a0';
  return {
    removeDuplicates: 'Against your contacts and within the file',
    validateEmails:
      settings === undefined
        ? pending
        : settings.strictValidation
          ? 'Strict: real endings, no hidden characters'
          : 'General pattern: name, @, domain, ending',
    filterNonUk:
      settings === undefined ? pending : keptDomains(settings.allowedDomains, ukPolicy ?? settings.ukPolicy),
    checkSuppressions:
      addresses === undefined || domains === undefined
        ? pending
        : `${formatCount(addresses, 'address', 'addresses')} and ${formatCount(domains, 'domain')}`,
  };
}

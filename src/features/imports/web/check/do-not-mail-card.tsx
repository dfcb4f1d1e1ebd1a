import { Checkbox } from '@mantine/core';
import { Card } from '#platform/web/components/card.tsx';
import { TextButton } from '#platform/web/components/links.tsx';
import { Note } from '#platform/web/components/states.tsx';
import { formatCount, formatNumber } from '#platform/web/format.ts';
import type { ImportCheck } from '../../contract.ts';
import { reasonWord } from '../import-words.ts';
import classes from './do-not-mail-card.module.css';
import { optOutRule, withDoNotMail, withMeaning } from './reading-choice.ts';
import type { Recheck } from './use-check.ts';

interface DoNotMailCardProps {
  check: ImportCheck;
  recheck: Recheck;
  stale: boolean;
  locked: boolean;
}

type View = ImportCheck['doNotMail'][number];
type Rule = View['rule'];

/**
 * The columns that say who must not be mailed, what their texts mean, and those that nobody can
 * tell.
 */
export function DoNotMailCard({ check, recheck, stale, locked }: DoNotMailCardProps) {
  const { doNotMail: rules } = recheck;
  // An empty column says nothing, as does one that the program writes and nobody filled.
  const views = check.doNotMail.filter(({ used, rows, values }) => !used || rows > 0 || values.length > 0);
  const choose = (next: Rule[]) => recheck.change({ reading: withDoNotMail(recheck, next) });
  const replace = (rule: Rule) =>
    choose([...rules.filter(({ index }) => index !== rule.index), rule].sort((a, b) => a.index - b.index));
  return (
    <>
      {check.unclear.map((column) => (
        <Unclear key={column.index} column={column} locked={locked} onRule={replace} />
      ))}
      {views.length > 0 && (
        <Card title="Do not mail" hint="said by the file" flush>
          <ul className={classes.list} data-stale={stale || undefined}>
            {views.map((view) => (
              <li key={view.rule.index} className={classes.column}>
                <Checkbox
                  label={view.name}
                  description={sayRows(view)}
                  classNames={{ label: classes.label, description: classes.hint, body: classes.body }}
                  checked={rules.some(({ index }) => index === view.rule.index)}
                  disabled={locked}
                  onChange={(event) =>
                    event.currentTarget.checked
                      ? replace(view.rule)
                      : choose(rules.filter(({ index }) => index !== view.rule.index))
                  }
                />
                <Meanings view={view} locked={locked} onRule={replace} />
              </li>
            ))}
          </ul>
          <p className={classes.foot}>
            These people go to the suppression list, and no later import brings them in. Where their domain is
            on it already, only those with a reason of their own get an entry.
          </p>
        </Card>
      )}
    </>
  );
}

function sayRows({ used, rows, values }: View): string {
  if (!used) return 'Not looked at';
  // A row counts for the first column that says so.
  if (rows === 0 && values.some(({ reason }) => reason !== null))
    return 'No further rows: another column says so of them too';
  return `${formatCount(rows, 'row')} will not be mailed because of it`;
}

const shownTexts = 8;

/**
 * Each text of the column with what it means. Dates are told together: there are as many as rows.
 */
function Meanings({ view, locked, onRule }: { view: View; locked: boolean; onRule: (rule: Rule) => void }) {
  const texts = view.values.filter(({ value }) => /\p{L}/u.test(value) || value.length < 3);
  if (texts.length === 0) return null;
  return (
    <ul className={classes.texts}>
      {texts.slice(0, shownTexts).map(({ value, rows, reason }) => (
        <li key={value} className={classes.text}>
          <span className={classes.value} title={value}>
            {value}
          </span>
          <span className={classes.count}>{formatNumber(rows)}</span>
          <TextButton
            disabled={locked}
            label={`${value}: ${reason === null ? 'Mail' : reasonWord(reason)}. Change`}
            onClick={() => onRule(withMeaning(view.rule, value, reason === null ? 'unsubscribed' : null))}
          >
            {reason === null ? 'Mail' : reasonWord(reason)}
          </TextButton>
        </li>
      ))}
    </ul>
  );
}

interface UnclearProps {
  column: ImportCheck['unclear'][number];
  locked: boolean;
  onRule: (rule: Rule) => void;
}

/** Asks what a column means that seems to say who must not be mailed. */
function Unclear({ column: { index, name, values }, locked, onRule }: UnclearProps) {
  const all = values.map(({ value }) => value);
  if (all[0] === '')
    return (
      <Note tone="warning" title={`May people be mailed where “${name}” is blank?`}>
        It is blank in {formatCount(values[0]?.rows ?? 0, 'row')} of those looked at, and says yes in the
        others. Until you say, nobody is left out for it.
        {!locked && (
          <>
            <div>
              <TextButton onClick={() => onRule(optOutRule(index, all, ['']))}>
                A blank means: do not mail
              </TextButton>
            </div>
            <div>
              <TextButton onClick={() => onRule(optOutRule(index, all, []))}>
                A blank says nothing about mail
              </TextButton>
            </div>
          </>
        )}
      </Note>
    );
  return (
    <Note tone="warning" title={`Does “${name}” say who must not be mailed?`}>
      Its texts are not clear:{' '}
      {values.map(({ value, rows }) => `“${value}” ${formatNumber(rows)}`).join(', ')}. Until you say, nobody
      is left out for them.
      {!locked && (
        <>
          {all.slice(0, 6).map((value) => (
            <div key={value}>
              <TextButton onClick={() => onRule(optOutRule(index, all, [value]))}>
                “{value}” means: do not mail
              </TextButton>
            </div>
          ))}
          <div>
            <TextButton onClick={() => onRule(optOutRule(index, all, all))}>
              Any text means: do not mail
            </TextButton>
          </div>
          <div>
            <TextButton onClick={() => onRule(optOutRule(index, all, []))}>
              It says nothing about mail
            </TextButton>
          </div>
        </>
      )}
    </Note>
  );
}

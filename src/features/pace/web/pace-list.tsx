import { Button } from '@mantine/core';
import { useMay } from '#platform/web/current-user.ts';
import classes from './pace.module.css';

interface Line {
  name: string;
  standing: string;
  /** `the warm-up of acme.co.uk`, for screen readers. */
  what: string;
}

interface Props<One extends Line> {
  title: string;
  hint: string;
  label: string;
  addLabel: string;
  /** The word for taking a line away. */
  endLabel: string;
  lines: readonly One[];
  onAdd: () => void;
  onEdit: (line: One) => void;
  onEnd: (line: One) => void;
}

/** A part of the pace that is a list: domains that warm up, receivers with a limit. */
export function PaceList<One extends Line>({
  title,
  hint,
  label,
  addLabel,
  endLabel,
  lines,
  onAdd,
  onEdit,
  onEnd,
}: Props<One>) {
  const mayEdit = useMay('admin');
  return (
    <section className={classes.list} aria-label={label}>
      <div className={classes.head}>
        <div>
          <p className={classes.title}>{title}</p>
          <p className={classes.dim}>{hint}</p>
        </div>
        {mayEdit && (
          <Button variant="default" size="xs" className={classes.whole} onClick={onAdd}>
            {addLabel}
          </Button>
        )}
      </div>
      {lines.map((line) => (
        <div key={line.name} className={classes.line}>
          <div>
            <span className={classes.domain}>{line.name}</span>
            <p className={classes.dim}>{line.standing}</p>
          </div>
          {mayEdit && (
            <div className={classes.buttons}>
              <Button
                {...{ variant: 'subtle', color: 'gray', size: 'xs', 'aria-label': `Edit ${line.what}` }}
                onClick={() => onEdit(line)}
              >
                Edit
              </Button>
              <Button
                {...{ variant: 'subtle', color: 'gray', size: 'xs' }}
                aria-label={`${endLabel} ${line.what}`}
                onClick={() => onEnd(line)}
              >
                {endLabel}
              </Button>
            </div>
          )}
        </div>
      ))}
    </section>
  );
}

import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Card } from '#platform/web/components/card.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import classes from './dashboard.module.css';

interface FirstStepsProps {
  canEdit: boolean;
  onSuppressDomain: () => void;
}

/** What to do in a workspace without contacts. Shown where the email preview will be. */
export function FirstSteps({ canEdit, onSuppressDomain }: FirstStepsProps) {
  return (
    <Card title="Start here" {...(canEdit ? {} : { hint: 'Changing contacts needs the editor role' })} flush>
      <ol className={classes.steps}>
        <Step
          title="Import your list"
          action={
            canEdit && (
              <LinkButton to="/imports" variant="default" size="xs">
                Import CSV
              </LinkButton>
            )
          }
        >
          A CSV file as it is. You see what becomes of every row before anything is saved.
        </Step>
        <Step
          title="Say whom not to mail"
          action={
            canEdit && (
              <Button variant="default" size="xs" onClick={onSuppressDomain}>
                Suppress a domain
              </Button>
            )
          }
        >
          What is suppressed is left out of every import and never mailed.
        </Step>
        <Step title="Keep it clean">
          Duplicates, invalid and non-UK addresses are found for you. What you remove can be brought back from
          the bin.
        </Step>
      </ol>
    </Card>
  );
}

function Step({ title, children, action }: { title: string; children: ReactNode; action?: ReactNode }) {
  return (
    <li className={classes.step}>
      <div className={classes.stepText}>
        <p className={classes.stepTitle}>{title}</p>
        <p className={classes.stepWords}>{children}</p>
      </div>
      {action}
    </li>
  );
}

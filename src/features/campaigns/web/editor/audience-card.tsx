import { Card } from '#platform/web/components/card.tsx';
import { AudienceFields } from '../audience-fields.tsx';
import type { Draft } from './draft.ts';
import classes from './editor.module.css';

interface Props {
  draft: Draft;
  onChange: (patch: Partial<Draft>) => void;
}

/** Whom it goes to. */
export const AudienceCard = ({ draft: { audience }, onChange }: Props) => (
  <Card title="Recipients">
    <div className={classes.stack}>
      <AudienceFields value={audience} onChange={(value) => onChange({ audience: value })} />
    </div>
  </Card>
);

import { Card } from '#platform/web/components/card.tsx';
import type { Campaign } from '../contract.ts';
import { AudienceCount } from './audience-fields.tsx';
import { templateLabels } from './campaign-words.ts';
import classes from './campaigns.module.css';

/** A draft: what it says and whom it goes to. */
export function ContentCard({ campaign }: { campaign: Campaign }) {
  const { subject, content, template, audience } = campaign;
  const isDesign = template === 'custom';
  return (
    <Card title="Draft">
      <dl className={classes.facts}>
        <div>
          <dt>Subject</dt>
          <dd>{subject}</dd>
        </div>
        <div>
          <dt>Template</dt>
          <dd>{templateLabels[template]}</dd>
        </div>
        <div>
          <dt>Audience</dt>
          <dd>
            <AudienceCount audience={audience} />
          </dd>
        </div>
      </dl>
      {!isDesign && <pre className={classes.content}>{content}</pre>}
    </Card>
  );
}

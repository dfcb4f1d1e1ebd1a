import { useQuery } from '@tanstack/react-query';
import { getSettings } from '#features/settings/contract.ts';
import { EmailPreview } from '#features/templates/web/index.ts';
import { queryOptionsFor } from '#platform/web/api.ts';
import { Card } from '#platform/web/components/card.tsx';
import type { Campaign } from '../contract.ts';
import { wholeEmail } from '../rules/layout.ts';

/** The message as a contact gets it. */
export function MessageCard({ campaign }: { campaign: Campaign }) {
  const { data } = useQuery(queryOptionsFor(getSettings));
  const { name, fromName, subject, preheader, content, template, textContent } = campaign;
  const sender = fromName || data?.sender.fromName || data?.sender.company || 'No sender name';
  return (
    <Card title="Preview">
      <EmailPreview
        name={name}
        from={sender}
        subject={subject}
        preheader={preheader}
        htmlContent={wholeEmail(content, template)}
        textContent={textContent}
      />
    </Card>
  );
}

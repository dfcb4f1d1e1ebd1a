import { IconBan, IconDownload, IconShieldCheck } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { Card } from '#platform/web/components/card.tsx';
import { LinkButton } from '#platform/web/components/links.tsx';
import type { Icon } from '#platform/web/feature.ts';
import { whatVerifyFinds } from '../rules/what-verify-finds.ts';
import { settingsQuery } from './api.ts';
import classes from './next-steps.module.css';

interface Step {
  icon: Icon;
  title: string;
  text: string;
  label: string;
  to: string;
  search: Record<string, unknown>;
}

const stepsFor = (importId: number, asksMailServers: boolean): Step[] => [
  {
    icon: IconBan,
    title: 'Tell us whom not to mail',
    text: 'Bring in the unsubscribed and bounced lists of the tool you used before. Whoever is on them is never mailed.',
    label: 'Import a suppression list',
    to: '/suppressions',
    search: { dialog: 'import' },
  },
  {
    icon: IconShieldCheck,
    title: 'Find bad addresses',
    text: whatVerifyFinds(asksMailServers),
    label: 'Verify these contacts',
    to: '/email-database',
    search: { import: importId },
  },
  {
    icon: IconDownload,
    title: 'Take the clean list with you',
    text: 'Filter to those who are active, and export them as CSV, JSON or an Excel workbook.',
    label: 'Show the active ones',
    to: '/email-database',
    search: { import: importId, status: 'active' },
  },
];

/** What people usually do after an import, each with a link. */
export function NextSteps({ importId }: { importId: number }) {
  const settings = useQuery(settingsQuery).data;
  const asksMailServers = settings?.emailValidation.checkMXRecords ?? false;
  return (
    <Card title="What next" flush>
      <ul className={classes.steps}>
        {stepsFor(importId, asksMailServers).map(({ icon: StepIcon, title, text, label, to, search }) => (
          <li key={title} className={classes.step}>
            <StepIcon size={18} stroke={1.6} className={classes.icon} />
            <div className={classes.words}>
              <p className={classes.title}>{title}</p>
              <p className={classes.text}>{text}</p>
            </div>
            <LinkButton to={to} search={search} variant="default" size="xs">
              {label}
            </LinkButton>
          </li>
        ))}
      </ul>
    </Card>
  );
}

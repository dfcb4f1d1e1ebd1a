import { IconShieldCheck } from '@tabler/icons-react';
import { verdictLabels, verdictTones } from '#features/contacts/web/index.ts';
import { below, type EventTellers, type EventWords } from '#platform/web/event-words.ts';
import type { VerificationEvent } from '../contract/contact-events.ts';

const tellers: EventTellers<VerificationEvent> = { verified: verifiedWords };
export default tellers;

function verifiedWords({ verdict, risk, run, by: name }: VerificationEvent): EventWords {
  const tone = verdictTones[verdict];
  const search = { tab: 'runs', run: run?.id };
  const part = run?.whole ? [{ text: 'with all contacts', to: '/review', search }] : [];
  return {
    icon: IconShieldCheck,
    tone: tone === 'success' ? 'neutral' : tone,
    title: `Verified: ${verdictLabels[verdict].toLowerCase()}`,
    second: below([{ text: `Risk ${risk} of 100` }, ...part], name),
  };
}

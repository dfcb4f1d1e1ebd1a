import { IconBan, IconUserCheck } from '@tabler/icons-react';
import { below, type EventTellers, type EventWords, plainPart } from '#platform/web/event-words.ts';
import type { SuppressionEvent } from '../contract/contact-events.ts';
import type { SuppressionReason } from '../contract.ts';

const reasons: Record<SuppressionReason, string> = {
  manual: 'By hand',
  unsubscribed: 'The recipient unsubscribed',
  bounced: 'Mail to it bounced',
  complained: 'The recipient reported mail as spam',
  erased: 'The person asked to be erased',
  imported: 'From an imported list',
};

const tellers: EventTellers<SuppressionEvent> = {
  suppressed: suppressedWords,
  lifted: ({ domain, why, by }) => ({
    icon: IconUserCheck,
    tone: 'neutral',
    title: domain === null ? 'Suppression lifted' : `Domain ${domain} no longer suppressed`,
    second: below(plainPart(why), by),
  }),
  put_back: ({ domain, by }) => ({
    icon: IconBan,
    tone: 'warning',
    title: domain === null ? 'Suppressed again' : `Domain ${domain} suppressed again`,
    second: below([{ text: 'The lifting was undone' }], by),
  }),
};
export default tellers;

function suppressedWords({
  domain,
  reason,
  note,
  fileName,
  by: name,
}: Extract<SuppressionEvent, { kind: 'suppressed' }>): EventWords {
  const origin = fileName === null ? null : `From ${fileName}`;
  const why = reason === 'imported' && origin !== null ? [] : [{ text: reasons[reason] }];
  return {
    icon: IconBan,
    tone: 'warning',
    title: domain === null ? 'Suppressed' : `Domain ${domain} suppressed`,
    second: below([...why, ...plainPart(origin), ...plainPart(note)], name),
  };
}

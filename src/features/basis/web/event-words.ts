import { IconCertificate } from '@tabler/icons-react';
import { below, type EventPart, type EventTellers, plainPart } from '#platform/web/event-words.ts';
import { formatCount } from '#platform/web/format.ts';
import type { BasisEvent } from '../contract/contact-events.ts';
import { basisLabels } from '../rules.ts';
import { whereFrom } from './basis-words.ts';

const tellers: EventTellers<BasisEvent> = {
  basis_said: (event) => ({
    icon: IconCertificate,
    tone: event.basis === 'none' ? 'warning' : 'neutral',
    title: `Marketing basis: ${basisLabels[event.basis].toLowerCase()}`,
    second: below([...plainPart(whereFrom(event)), ...howSaid(event)], event.by),
  }),
};
export default tellers;

function howSaid({ how, import: file, contacts }: BasisEvent): EventPart[] {
  if (file !== null) return [{ text: file.fileName ?? `Import ${file.id}`, to: `/imports/${file.id}` }];
  if (how === 'merge') return [{ text: 'By a merge' }];
  return how === 'bulk' && contacts > 1
    ? [{ text: `with ${formatCount(contacts - 1, 'other', 'others')}`, to: '/basis-changes' }]
    : [];
}

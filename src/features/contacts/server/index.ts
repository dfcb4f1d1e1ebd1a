import type { FeatureContext, FeatureParts, ServerFeature } from '#platform/server/feature.ts';
import { port } from '#platform/server/ports.ts';
import { contactsEvents } from '../contract/contact-events.ts';
import * as contract from '../contract.ts';
import { contactsWords } from '../rules/words.ts';
import type { JudgeContacts } from './add.ts';
import { tellEvents } from './contact-events.ts';
import { forgetFieldNames } from './field-names/forget.ts';
import { personal } from './personal.ts';
import type { WhyDead } from './refuse-dead-domain.ts';
import { registerContacts } from './routes.ts';

export { addOne } from './add.ts';
export { changeMany } from './change-many.ts';
export { findContact, otherAddressesOf } from './find.ts';
export { contactColumns, putBack, takenOut } from './leave-and-return.ts';
export { readdress } from './readdress.ts';
export { refuseDeadDomain } from './refuse-dead-domain.ts';
export { dropEmptyBlocks, makeFindable, makeFindableAgain } from './search-text.ts';
export { selectContacts } from './select-contacts.ts';
export { contactsWithSuppression, isSuppressed, statusText, suppressionJoins } from './status-queries.ts';

/** Judges contacts in the same transaction that added them. */
export const judgePort = port<JudgeContacts>('contacts.judge');
/** Says whether mail can be sent to a domain. */
export const whyDeadPort = port<WhyDead>('contacts.why-dead');

export const contactsFeature: ServerFeature = {
  name: 'contacts',
  contract,
  words: contactsWords,
  streamTypes: {
    'contact.created': 'contacts were added, by hand, by a program or by an import.',
    'contact.updated': 'fields of contacts were changed; `data.fields` names them.',
  },
  eventKinds: contactsEvents,
  create,
};

function create({ db, use }: FeatureContext): FeatureParts {
  const options = { db, judge: use(judgePort), whyDead: use(whyDeadPort) };
  return {
    routes: (router) => registerContacts(router, options),
    contactEvents: { scope: 'contacts:read', tell: tellEvents },
    personal,
    nightly: [
      {
        name: 'contacts.forget-field-names',
        run: (workspaceId, signal) => forgetFieldNames(db, workspaceId, signal),
      },
    ],
  };
}

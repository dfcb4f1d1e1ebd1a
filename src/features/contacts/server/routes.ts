import { answersCall, type Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { addOne, type JudgeContacts } from './add.ts';
import { changeContact } from './change-contact.ts';
import { findContact } from './find.ts';
import { refuseDeadDomain, type WhyDead } from './refuse-dead-domain.ts';

interface ContactsOptions {
  db: Database;
  /** Judges contacts in the same transaction that added them. */
  judge: JudgeContacts;
  /** Asks whether mail can be sent to a domain. */
  whyDead: WhyDead;
}

export function registerContacts(router: Router, { db, judge, whyDead }: ContactsOptions): void {
  router.handle(contract.getContact, ({ workspaceId, params }) =>
    db.asTenant(workspaceId, (tx) => findContact(tx, workspaceId, params.id)),
  );
  router.handle(contract.changeContact, ({ workspaceId, caller, params, body }) =>
    db.asTenant(workspaceId, (tx) =>
      changeContact(tx, { workspaceId, email: caller.email }, params.id, body),
    ),
  );
  router.handle(contract.addContact, async ({ workspaceId, caller, body }) => {
    const actor = { workspaceId, email: caller.email };
    // Done before the transaction, which would otherwise hold its locks while it waits for name
    // servers.
    await refuseDeadDomain(db, workspaceId, body.email, whyDead);
    return db.asTenant(workspaceId, (tx) => addOne(tx, actor, body, judge), answersCall);
  });
}

import { answersCall } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import * as contract from '../contract.ts';
import { addDomain, readDomain } from './add-domain.ts';
import { addAddress, changeAddress, deleteAddress, listAddresses } from './addresses.ts';
import { checkNow } from './check-domain.ts';
import type { SendersContext } from './context.ts';
import { deleteDomain } from './delete-domain.ts';
import { makeKey } from './make-key.ts';
import { listAll, needDomain, showOne } from './present.ts';
import { rotateKey } from './rotate-key.ts';

export function registerSenders(router: Router, context: SendersContext): void {
  const { db, sealer, place } = context;
  router.handle(contract.listSenderDomains, async ({ workspaceId }) => ({
    items: await db.asTenant(workspaceId, (tx) => listAll(tx, workspaceId, place)),
  }));
  router.handle(contract.addSenderDomain, async ({ workspaceId, caller: { email }, body }) => {
    const domain = readDomain(body.domain);
    const made = await makeKey();
    return db.asTenant(
      workspaceId,
      async (tx) => {
        const id = await addDomain(tx, { workspaceId, email }, domain, { sealer, made });
        return showOne(tx, workspaceId, id, place);
      },
      answersCall,
    );
  });
  router.handle(contract.getSenderDomain, ({ workspaceId, params }) =>
    db.asTenant(workspaceId, (tx) => showOne(tx, workspaceId, params.id, place)),
  );
  router.handle(contract.deleteSenderDomain, ({ workspaceId, caller: { email }, params }) =>
    db.asTenant(workspaceId, async (tx) => {
      await deleteDomain(tx, { workspaceId, email }, params.id);
      return { deleted: 1 as const };
    }),
  );
  router.handle(contract.checkSenderDomain, async ({ workspaceId, params }) => {
    await checkNow(context, workspaceId, params.id);
    return db.asTenant(workspaceId, (tx) => showOne(tx, workspaceId, params.id, place));
  });
  router.handle(contract.rotateSenderKey, async ({ workspaceId, caller: { email }, params }) => {
    // A key takes time to make, so it is not made for what is not there.
    await db.asTenant(workspaceId, (tx) => needDomain(tx, workspaceId, params.id));
    const made = await makeKey();
    return db.asTenant(
      workspaceId,
      async (tx) => {
        await rotateKey(tx, { workspaceId, email }, params.id, { sealer, made });
        return showOne(tx, workspaceId, params.id, place);
      },
      answersCall,
    );
  });
  registerAddresses(router, context);
}

function registerAddresses(router: Router, { db, place }: SendersContext): void {
  router.handle(contract.listSenders, async ({ workspaceId }) => ({
    items: await db.asTenant(workspaceId, (tx) => listAddresses(tx, workspaceId, place)),
  }));
  router.handle(contract.addSender, ({ workspaceId, caller: { email }, body }) =>
    db.asTenant(workspaceId, (tx) => addAddress(tx, { workspaceId, email }, body, place), answersCall),
  );
  router.handle(contract.changeSender, ({ workspaceId, caller: { email }, params, body }) =>
    db.asTenant(workspaceId, (tx) => changeAddress(tx, { workspaceId, email }, params.id, body, place)),
  );
  router.handle(contract.deleteSender, ({ workspaceId, caller: { email }, params }) =>
    db.asTenant(workspaceId, async (tx) => {
      await deleteAddress(tx, { workspaceId, email }, params.id);
      return { deleted: 1 as const };
    }),
  );
}

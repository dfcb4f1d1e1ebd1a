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
  const { db, sealer } = context;
  router.handle(contract.listSenderDomains, async ({ workspaceId }) => ({
    items: await db.asTenant(workspaceId, (tx) => listAll(context, tx, workspaceId)),
  }));
  router.handle(contract.addSenderDomain, async ({ workspaceId, caller: { email }, body }) => {
    const domain = readDomain(body.domain);
    const made = await makeKey();
    return db.asTenant(
      workspaceId,
      async (tx) => {
        const id = await addDomain(tx, { workspaceId, email }, domain, { sealer, made });
        return showOne(context, tx, workspaceId, id);
      },
      answersCall,
    );
  });
  router.handle(contract.getSenderDomain, ({ workspaceId, params }) =>
    db.asTenant(workspaceId, (tx) => showOne(context, tx, workspaceId, params.id)),
  );
  router.handle(contract.deleteSenderDomain, ({ workspaceId, caller: { email }, params }) =>
    db.asTenant(workspaceId, async (tx) => {
      await deleteDomain(tx, { workspaceId, email }, params.id);
      return { deleted: 1 as const };
    }),
  );
  router.handle(contract.checkSenderDomain, async ({ workspaceId, params }) => {
    await checkNow(context, workspaceId, params.id);
    return db.asTenant(workspaceId, (tx) => showOne(context, tx, workspaceId, params.id));
  });
  router.handle(contract.rotateSenderKey, async ({ workspaceId, caller: { email }, params }) => {
    // A key takes time to make, so it is not made for what is not there.
    await db.asTenant(workspaceId, (tx) => needDomain(tx, workspaceId, params.id));
    const made = await makeKey();
    return db.asTenant(
      workspaceId,
      async (tx) => {
        await rotateKey(tx, { workspaceId, email }, params.id, { sealer, made });
        return showOne(context, tx, workspaceId, params.id);
      },
      answersCall,
    );
  });
  registerAddresses(router, context);
}

function registerAddresses(router: Router, context: SendersContext): void {
  const { db } = context;
  router.handle(contract.listSenders, async ({ workspaceId }) => ({
    items: await db.asTenant(workspaceId, (tx) => listAddresses(context, tx, workspaceId)),
  }));
  router.handle(contract.addSender, ({ workspaceId, caller: { email }, body }) =>
    db.asTenant(workspaceId, (tx) => addAddress(context, tx, { workspaceId, email }, body), answersCall),
  );
  router.handle(contract.changeSender, ({ workspaceId, caller: { email }, params, body }) =>
    db.asTenant(workspaceId, (tx) => changeAddress(context, tx, { workspaceId, email }, params.id, body)),
  );
  router.handle(contract.deleteSender, ({ workspaceId, caller: { email }, params }) =>
    db.asTenant(workspaceId, async (tx) => {
      await deleteAddress(tx, { workspaceId, email }, params.id);
      return { deleted: 1 as const };
    }),
  );
}

import { imagesPort } from '#features/images/server/index.ts';
import { mailPort } from '#features/mail/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { ServerFeature } from '#platform/server/feature.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import { templatesWords } from '../rules/words.ts';
import { needTemplate } from './find-template.ts';
import { templateImages } from './image-uses.ts';
import { removeArriving } from './import-zip/receive-zip.ts';
import { forgetSilent } from './presence/presence.ts';
import { countUse, forgetDeleted } from './queries.ts';
import { registerTemplates } from './routes.ts';

export { readBrand } from './brand/brand.ts';

/** What features that send do with templates. */
export interface Templates {
  /**
   * Counts that a campaign or a workflow has used a template, in its own transaction. A template
   * that is not there any more is not counted.
   */
  used(tx: TenantTx, workspaceId: number, templateId: number): Promise<void>;
  /** Its HTML and its text part as they stand now. Throws `not_found`. */
  content(
    tx: TenantTx,
    workspaceId: number,
    templateId: number,
  ): Promise<{ htmlContent: string; textContent: string | null }>;
}

export const templatesPort = port<Templates>('templates.templates');

export const templatesFeature: ServerFeature = {
  name: 'templates',
  contract,
  words: templatesWords,
  create({ db, files, use, offer }) {
    offer(templatesPort, { used: countUse, content: needTemplate });
    const images = use(imagesPort);
    images.add(templateImages);
    return {
      routes: (router) => registerTemplates(router, db, use(mailPort), { files, images }),
      nightly: [
        {
          name: 'templates.forget-deleted',
          run: (workspaceId) =>
            db.asTenant(workspaceId, (tx) => forgetDeleted(tx, workspaceId, contract.deletedDays)),
        },
        {
          name: 'templates.forget-presence',
          run: (workspaceId) => db.asTenant(workspaceId, (tx) => forgetSilent(tx, workspaceId)),
        },
        {
          name: 'templates.remove-arriving',
          run: (workspaceId) => removeArriving(files, workspaceId),
        },
      ],
    };
  },
};

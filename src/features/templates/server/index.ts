import { imagesPort } from '#features/images/server/index.ts';
import { mailPort } from '#features/mail/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import type { ServerFeature } from '#platform/server/feature.ts';
import { port } from '#platform/server/ports.ts';
import * as contract from '../contract.ts';
import type { Content } from '../rules/switch-content.ts';
import { templatesWords } from '../rules/words.ts';
import { readBrand } from './brand/brand.ts';
import { selectUses } from './fields/tag-queries.ts';
import { needTemplate, presentContent } from './find-template.ts';
import { templateImages } from './image-uses.ts';
import { removeArriving } from './import-zip/receive-zip.ts';
import { forgetSilent } from './presence/presence.ts';
import { countUse, forgetDeleted } from './queries.ts';
import { type Made, madeOf } from './rendering/make-html.ts';
import { registerTemplates } from './routes.ts';

export { readBrand } from './brand/brand.ts';
export { knownFieldsOf } from './fields/known-fields-of.ts';
export { tagAnswers } from './fields/tag-queries.ts';
export { mergeData, refuseContact } from './rendering/merge-data.ts';
export { refuseStrangers } from './test-send/send-test.ts';

/** What features that send do with templates. */
export interface Templates {
  /**
   * Counts that a campaign or a workflow has used a template, in its own transaction. A template
   * that is not there any more is not counted.
   */
  used(tx: TenantTx, workspaceId: number, templateId: number): Promise<void>;
  /** What it says as it stands now, and what that is made from. Throws `not_found`. */
  content(tx: TenantTx, workspaceId: number, templateId: number): Promise<ReturnType<typeof presentContent>>;
  /**
   * The HTML of a document or of MJML, and the document with what the workspace's brand adds.
   * Throws `invalid_input`. It takes a connection of its own, so call it outside of a transaction.
   */
  made(workspaceId: number, content: Exclude<Content, { mode: 'html' }>): Promise<Made>;
}

export const templatesPort = port<Templates>('templates.templates');

export const templatesFeature: ServerFeature = {
  name: 'templates',
  contract,
  words: templatesWords,
  create({ db, files, use, offer }) {
    offer(templatesPort, {
      used: countUse,
      content: async (...call) => presentContent(await needTemplate(...call)),
      made: async (workspaceId, content) =>
        madeOf({ workspaceId }, content, await db.asTenant(workspaceId, (tx) => readBrand(tx, workspaceId))),
    });
    const images = use(imagesPort);
    images.add(templateImages);
    return {
      routes: (router) => registerTemplates(router, db, use(mailPort), { files, images }),
      findUses: selectUses,
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

import { imagesPort } from '#features/images/server/index.ts';
import type { ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import { templatesWords } from '../rules/words.ts';
import { templateImages } from './image-uses.ts';
import { forgetDeleted } from './queries.ts';
import { registerTemplates } from './routes.ts';

export const templatesFeature: ServerFeature = {
  name: 'templates',
  contract,
  words: templatesWords,
  create({ db, use }) {
    use(imagesPort).add(templateImages);
    return {
      routes: (router) => registerTemplates(router, db),
      nightly: [
        {
          name: 'templates.forget-deleted',
          run: (workspaceId) =>
            db.asTenant(workspaceId, (tx) => forgetDeleted(tx, workspaceId, contract.deletedDays)),
        },
      ],
    };
  },
};

import type { Images, SentImage } from '#features/images/server/index.ts';
import type { FileStore } from '#platform/server/files.ts';
import type { Caller, Router } from '#platform/server/http.ts';
import { hasScope } from '#platform/server/may-too.ts';
import { importZip as endpoint } from '../../contract.ts';
import { importZip } from './import-zip.ts';
import { withZip } from './receive-zip.ts';

export interface ZipParts {
  files: FileStore;
  images: Pick<Images, 'store'>;
}

export function registerZip(router: Router, { files, images }: ZipParts): void {
  router.handle(endpoint, ({ workspaceId, caller, request }) => {
    const store = (sent: SentImage) => images.store({ workspaceId, email: caller.email }, sent);
    return withZip(files, request, workspaceId, (path) =>
      importZip(workspaceId, path, mayStore(caller) ? store : null),
    );
  });
}

/** To store images is a right of its own. */
const mayStore = (caller: Caller): boolean => hasScope(caller, 'images:write');

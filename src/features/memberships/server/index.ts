import { audiencePort } from '#features/audience/server/index.ts';
import { tasksPort } from '#features/tasks/server/index.ts';
import type { FeatureContext, FeatureParts, FindUses, ServerFeature } from '#platform/server/feature.ts';
import { port } from '#platform/server/ports.ts';
import { membershipsEvents } from '../contract/contact-events.ts';
import * as contract from '../contract.ts';
import { membershipsWords } from '../rules/words.ts';
import { type ByReaders, byReaders } from './changes/by-readers.ts';
import { changeTask } from './changes/change-tasks.ts';
import { undoTask } from './changes/undo-change.ts';
import { tellEvents } from './contact-events.ts';
import type { MembershipsContext } from './context.ts';
import { followerOf } from './follow-contacts.ts';
import type { GroupKind } from './group-kind.ts';
import { personalOf } from './personal.ts';
import { purge } from './purge.ts';
import { registerMemberships } from './routes.ts';

export { lockThere, refuseMissing } from './changes/import-members.ts';
export { hasLeft } from './changes/leavings.ts';
export {
  beginTakeBack,
  breakOffTakeBack,
  type TakeBackState,
  takeBackPiece,
} from './changes/take-back-imported.ts';
export { conditionOf } from './condition.ts';
export { type GroupKind, noteGroup } from './group-kind.ts';
export { registerMembers } from './member-routes.ts';
export { needLocked } from './need-group.ts';
export { removeGroup } from './remove-group.ts';
export { refuseTooMany, restoreGroup } from './restore-group.ts';
export { segmentFieldOf } from './segment-field.ts';
export { usesOf } from './uses.ts';

/** What lists and tags register at, and what their calls work with. */
export interface Memberships extends MembershipsContext {
  /** Makes a kind of group known: its contacts are followed, and changes of it can be undone. */
  add(kind: GroupKind): void;
  /** What contacts do themselves, on a preference page. */
  byReaders: ByReaders;
}

export const membershipsPort = port<Memberships>('memberships.memberships');

export const membershipsFeature: ServerFeature = {
  name: 'memberships',
  contract: { undoMembership: contract.undoMembership },
  words: membershipsWords,
  eventKinds: membershipsEvents,
  streamTypes: {
    'list.joined': 'contacts came on a list.',
    'list.left': 'they were taken off.',
    'list.updated': 'a list was made, changed, deleted or restored; `data.change` says which.',
    'tag.added': 'contacts were given a tag.',
    'tag.removed': 'it was taken from them.',
    'tag.updated': 'a tag was made, changed, deleted or restored; `data.change` says which.',
  },
  create,
};

function create({ db, use, offer }: FeatureContext): FeatureParts {
  const kinds = new Map<string, GroupKind>();
  let askers: readonly FindUses[] = [];
  const context: MembershipsContext = {
    db,
    tasks: use(tasksPort),
    audience: use(audiencePort),
    kinds,
    askers: () => askers,
  };
  offer(membershipsPort, { ...context, add: (kind) => void kinds.set(kind.kind, kind), byReaders });
  return {
    routes: (router) => registerMemberships(router, context),
    tasks: [changeTask(context), undoTask(context)],
    contactFollower: followerOf(() => kinds.values()),
    contactEvents: { scope: 'contacts:read', tell: tellEvents(kinds) },
    personal: personalOf(kinds),
    gather(all) {
      askers = all.flatMap(({ findUses }) => findUses ?? []);
    },
    nightly: [
      {
        name: 'memberships.forget',
        run: (workspaceId, signal) => purge(db, workspaceId, kinds.values(), signal),
      },
    ],
  };
}

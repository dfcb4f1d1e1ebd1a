import type { Database } from '#platform/server/database.ts';
import type { Router } from '#platform/server/http.ts';
import { registerTimeline } from './routes.ts';
import type { ContactEventSource } from './service.ts';

export interface TimelineOptions {
  db: Database;
  /** What each feature tells of a contact. One that sends campaigns would tell of opens and clicks here. */
  sources: readonly ContactEventSource[];
}

/** What happened to a contact, gathered from the features that know. */
export function createTimeline({ db, sources }: TimelineOptions): { register(router: Router): void } {
  return { register: (router) => registerTimeline(router, db, sources) };
}

import type { Fragment, TenantTx } from '#platform/server/database.ts';
import { port } from '#platform/server/ports.ts';
import type { TrackedSend } from './sends-port.ts';

/** A list that the workspace lets its readers choose. */
export interface Topic {
  id: number;
  /** As readers see it. */
  name: string;
  description: string | null;
  /** Whether the reader is on it. */
  isChosen: boolean;
}

/** Whose topics they are: the contact of a send, or whoever has its address by now. */
export type TopicReader = Pick<TrackedSend, 'contactId' | 'local' | 'domain'>;

/** What the feature that has lists tells of them, and changes for a reader. */
export interface Topics {
  /** The topics in the order that readers see; none for somebody who is no contact. */
  of(tx: TenantTx, workspaceId: number, reader: TopicReader): Promise<Topic[]>;
  /**
   * Puts the reader on topics and takes them off others, and remembers what they left. Topics that
   * are not public any more are passed over. Throws `conflict` while their contacts are busy.
   */
  choose(
    tx: TenantTx,
    workspaceId: number,
    reader: TopicReader,
    wanted: { mailingId: number; topics: ReadonlyMap<number, boolean> },
  ): Promise<{ joined: string[]; left: string[] }>;
  /**
   * For somebody who could not be taken off: from now on nothing of the topics that they have left
   * is handed over to them, and they are taken off as soon as that can be. Waits for nobody.
   * Returns the topics.
   */
  noteLeft(
    tx: TenantTx,
    workspaceId: number,
    reader: TopicReader,
    wanted: { mailingId: number; topics: ReadonlyMap<number, boolean> },
  ): Promise<string[]>;
  /**
   * For contacts that get another address, or several that become one: what was left at the old
   * address is left at the new one too, and whoever is still on it is taken off as soon as that can
   * be. `pairs` is that of `carryStayingAway`.
   */
  carryLeft(tx: TenantTx, workspaceId: number, pairs: Fragment): Promise<void>;
}

export const topicsPort = port<Topics>('tracking.topics');

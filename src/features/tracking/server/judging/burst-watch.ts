import { inBackground } from '#platform/server/call-context.ts';
import { burst } from '../../rules/agents.ts';
import type { SendKey } from '../sends-port.ts';

interface Click extends SendKey {
  workspaceId: number;
  link: number;
  /** Milliseconds since 1970. */
  at: number;
}

/** Messages that are watched at a time. Those that come while there are more are not. */
const mostWatched = 20_000;
/** So many links at once are looked at: another process may have had the third. */
const suspicious = burst.links - 1;
const lookAfterMs = (burst.seconds + 1) * 1_000;

/**
 * Notices when links of one message are followed at once, and then has that message looked at.
 * It is done from memory, so that no click costs a look into the database.
 */
export class BurstWatch {
  readonly #look: (workspaceId: number, send: SendKey) => Promise<void>;
  readonly #watched = new Map<string, Click[]>();
  readonly #due = new Map<string, NodeJS.Timeout>();

  /** `look` judges the clicks of one message, which are written down by then. */
  constructor(look: (workspaceId: number, send: SendKey) => Promise<void>) {
    this.#look = look;
  }

  note(click: Click): void {
    const { workspaceId, mailingId, sendId, at } = click;
    const name = `${workspaceId}/${mailingId}/${sendId}`;
    if (this.#due.has(name)) return;
    const since = at - burst.seconds * 1_000;
    const clicks = (this.#watched.get(name) ?? []).filter((one) => one.at >= since);
    clicks.push(click);
    this.#watched.delete(name);
    if (new Set(clicks.map(({ link }) => link)).size < suspicious) this.#watch(name, clicks);
    else this.#lookLater(name, click);
  }

  #lookLater(name: string, { workspaceId, mailingId, sendId }: Click): void {
    const timer = setTimeout(() => {
      this.#due.delete(name);
      void inBackground(() => this.#look(workspaceId, { mailingId, sendId }));
    }, lookAfterMs);
    this.#due.set(name, timer);
  }

  /** The longest watched come first, so those that are over are found at the front. */
  #watch(name: string, clicks: Click[]): void {
    const since = (clicks.at(-1)?.at ?? 0) - burst.seconds * 1_000;
    for (const [other, [first]] of this.#watched) {
      if (first && first.at >= since) break;
      this.#watched.delete(other);
    }
    if (this.#watched.size < mostWatched) this.#watched.set(name, clicks);
  }

  /** Looks at nothing more. What was to be looked at stays as it was judged. */
  stop(): void {
    for (const timer of this.#due.values()) clearTimeout(timer);
    this.#due.clear();
    this.#watched.clear();
  }
}

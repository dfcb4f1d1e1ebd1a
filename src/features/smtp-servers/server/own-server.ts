import {
  type ConnectError,
  type ServerTransport,
  type Slot,
  SmtpPool,
  smtpTransport,
} from '#features/sending/server/index.ts';
import type { Log } from '#platform/server/logging.ts';
import { checkedAddress, openPassword, ownName, smtpServerOf } from './connect.ts';
import type { ServersContext } from './context.ts';
import type { ServerRow } from './queries.ts';
import { ServerLimit } from './server-limit.ts';

/** Connections of one process to one server. Providers refuse many at once. */
const connections = 5;
/** How long a server is passed over: one that is away, and one that refuses the sign-in. */
const awayMs = 30_000;
const refusedMs = 5 * 60_000;
/** Another server can take the message, so nobody waits long. */
const timeouts = { connectMs: 10_000, replyMs: 60_000, endMs: 180_000 };

/** Whose message waits for a slot. */
export type SlotGuest = Parameters<ServerTransport['slot']>[0];

/** One server of a workspace, with its connections and whether it can be used. */
export class OwnServer {
  readonly id: number;
  readonly key: string;
  readonly name: string;
  readonly weight: number;
  readonly isFallback: boolean;
  /** Null: it takes as many messages as there are. */
  readonly limit: ServerLimit | null;
  readonly #pool: SmtpPool;
  readonly #transport: ReturnType<typeof smtpTransport>;
  #passedOverUntil = 0;
  #failure: ConnectError | null = null;
  #isUp = false;
  #hasTrouble: boolean;
  #opening: Promise<void> | null = null;
  #noted: Promise<void> = Promise.resolve();

  constructor(
    { db, log, sealer, config }: ServersContext & { log: Log },
    workspaceId: number,
    row: ServerRow,
  ) {
    const { id, name, weight, isFallback, perHour, perMinute } = row;
    this.id = id;
    this.key = OwnServer.keyOf(row);
    this.name = name;
    this.weight = weight;
    this.isFallback = isFallback;
    const isLimited = perHour !== null || perMinute !== null;
    this.limit = isLimited ? new ServerLimit({ db, log, workspaceId, id }) : null;
    this.#hasTrouble = row.trouble !== null;
    this.#pool = new SmtpPool({
      server: smtpServerOf(row, openPassword(sealer, workspaceId, row)),
      ...{ name: ownName, most: connections, timeouts },
      ...(config.allowPrivateSmtp ? {} : { lookUp: checkedAddress }),
    });
    this.#transport = smtpTransport(this.#pool);
  }

  /** The same for as long as nobody changes it. */
  static keyOf({ id, updatedAt }: Pick<ServerRow, 'id' | 'updatedAt'>): string {
    return `${id} ${updatedAt.getTime()}`;
  }

  /** False while it is passed over. */
  get isUsable(): boolean {
    return performance.now() >= this.#passedOverUntil;
  }

  /** Why it was last passed over. */
  get failure(): ConnectError | null {
    return this.#failure;
  }

  /** Throws `ConnectError`. The first connection is opened once for all who wait for it. */
  async slot(guest: SlotGuest): Promise<Slot> {
    if (!this.#isUp) {
      this.#opening ??= this.#pool.ready(guest).finally(() => {
        this.#opening = null;
      });
      await this.#opening;
      this.#isUp = true;
    }
    return this.#transport.slot(guest);
  }

  /** Others may have passed it over, too, and gone before it could be used again. */
  learn({ trouble }: Pick<ServerRow, 'trouble'>): this {
    if (trouble !== null) this.#hasTrouble = true;
    return this;
  }

  /** Does what notes its state, after what has been noted before. `write` does not throw. */
  note(write: () => Promise<void>): void {
    this.#noted = this.#noted.then(write);
  }

  /** Leaves it out for a while. False when that is so already. */
  passOver(error: ConnectError): boolean {
    const isNews = this.isUsable;
    this.#failure = error;
    this.#isUp = false;
    this.#hasTrouble = true;
    if (isNews) this.#passedOverUntil = performance.now() + (error.isFinal ? refusedMs : awayMs);
    return isNews;
  }

  /** True once, when it can be used after trouble. */
  isBackAgain(): boolean {
    const was = this.#hasTrouble;
    this.#hasTrouble = false;
    if (was) this.#passedOverUntil = 0;
    return was;
  }

  close(): void {
    this.#pool.close();
  }
}

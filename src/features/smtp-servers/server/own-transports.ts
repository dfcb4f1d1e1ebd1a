import { ConnectError, type ServerTransport, type Slot } from '#features/sending/server/index.ts';
import type { Log } from '#platform/server/logging.ts';
import { storableText } from '#platform/server/storable-text.ts';
import { fullInWords } from '../rules/limit.ts';
import type { ServersContext } from './context.ts';
import { OwnServer, type SlotGuest } from './own-server.ts';
import { noteTrouble, selectServers } from './queries.ts';

/**
 * A process believes so long what it has read: a change holds that much later. That there is no
 * server it does not believe, or what leaves after the first is added would go another way.
 */
const believedMs = 2_000;

/** A new limit or another server takes what waits after so long at most. */
const mostWaitSeconds = 60;

type SlotOrWait = Awaited<ReturnType<ServerTransport['slot']>>;

interface Kept {
  readAt: number;
  servers: Promise<OwnServer[]>;
}

/** The workspaces' own mail servers, each with its connections. */
export class OwnTransports {
  readonly #context: ServersContext & { log: Log };
  readonly #kept = new Map<number, Kept>();

  constructor(context: ServersContext & { log: Log }) {
    this.#context = context;
  }

  /** Null: the workspace has no server that is on. */
  async of(workspaceId: number): Promise<ServerTransport | null> {
    const servers = await this.#servers(workspaceId);
    return servers.length === 0 ? null : { slot: (guest) => this.#slot(workspaceId, servers, guest) };
  }

  async close(): Promise<void> {
    const all = await Promise.all([...this.#kept.values()].map(({ servers }) => servers.catch(() => [])));
    for (const server of all.flat()) server.close();
    this.#kept.clear();
  }

  #servers(workspaceId: number): Promise<OwnServer[]> {
    const kept = this.#kept.get(workspaceId);
    if (kept && performance.now() - kept.readAt < believedMs) return kept.servers;
    const servers = this.#read(workspaceId, kept?.servers);
    this.#kept.set(workspaceId, { readAt: performance.now(), servers });
    const forget = () => {
      if (this.#kept.get(workspaceId)?.servers === servers) this.#kept.delete(workspaceId);
    };
    servers.then((all) => all.length === 0 && forget(), forget);
    return servers;
  }

  /** Servers that are as before keep their connections. */
  async #read(workspaceId: number, earlier: Promise<OwnServer[]> | undefined): Promise<OwnServer[]> {
    const { db } = this.#context;
    const rows = await db.asTenant(workspaceId, (tx) => selectServers(tx, workspaceId));
    const before = new Map((await earlier?.catch(() => []))?.map((one) => [one.key, one]));
    const servers = rows
      .filter(({ isActive }) => isActive)
      .map(
        (row) =>
          before.get(OwnServer.keyOf(row))?.learn(row) ?? new OwnServer(this.#context, workspaceId, row),
      );
    for (const one of before.values()) if (!servers.includes(one)) one.close();
    return servers;
  }

  async #slot(workspaceId: number, servers: readonly OwnServer[], guest: SlotGuest): Promise<SlotOrWait> {
    const full: { name: string; waitMs: number }[] = [];
    for (const server of inTurn(servers)) {
      try {
        const slot = await slotWithin(server, guest);
        if (typeof slot === 'number') {
          full.push({ name: server.name, waitMs: slot });
          continue;
        }
        if (server.isBackAgain()) this.#note(workspaceId, server, null);
        return {
          free: slot.free,
          deliver: async (message, isFresh) => {
            const outcome = await slot.deliver(message, isFresh);
            if (!(outcome instanceof ConnectError)) return outcome;
            this.#passOver(workspaceId, server, outcome);
            // Nobody has the message: it is handed over anew, to another server.
            return servers.some((one) => one.isUsable) ? 'stalled' : failureOf(servers);
          },
        };
      } catch (error) {
        if (!(error instanceof ConnectError)) throw error;
        this.#passOver(workspaceId, server, error);
      }
    }
    if (full.length === 0) throw failureOf(servers);
    const waitMs = Math.min(...full.map((one) => one.waitMs));
    return {
      notice: fullInWords(full.map(({ name }) => name)),
      waitSeconds: Math.min(Math.ceil(waitMs / 1_000), mostWaitSeconds),
    };
  }

  #passOver(workspaceId: number, server: OwnServer, error: ConnectError): void {
    if (!server.passOver(error)) return;
    this.#context.log.warn({ err: error, workspaceId, server: server.id }, 'an SMTP server is passed over');
    this.#note(workspaceId, server, `${storableText(error.message).replace(/\.$/, '')}.`);
  }

  #note(workspaceId: number, server: OwnServer, trouble: string | null): void {
    const { db, log } = this.#context;
    server.note(() =>
      db
        .asTenant(workspaceId, (tx) => noteTrouble(tx, workspaceId, server.id, trouble))
        .catch((error: unknown) =>
          log.warn({ err: error, workspaceId }, 'the state of an SMTP server could not be noted'),
        ),
    );
  }
}

/** A slot of a server that counts for its limit. A number: the server is full for so long. */
async function slotWithin(server: OwnServer, guest: SlotGuest): Promise<Slot | number> {
  const { limit } = server;
  if (!limit) return server.slot(guest);
  const knownMs = limit.fullMs(guest.goesFirst);
  if (knownMs > 0) return knownMs;
  const slot = await server.slot(guest);
  const waitMs = await limit.take(guest.goesFirst).catch((error: unknown) => {
    slot.free();
    throw error;
  });
  if (waitMs > 0) {
    slot.free();
    return waitMs;
  }
  let isCounted = true;
  const giveBack = () => {
    if (isCounted) limit.giveBack();
    isCounted = false;
  };
  return {
    async deliver(message, isFresh) {
      const outcome = await slot.deliver(message, isFresh);
      // Nobody has the message.
      if (outcome === 'stalled' || outcome instanceof ConnectError) giveBack();
      isCounted = false;
      return outcome;
    },
    free() {
      giveBack();
      slot.free();
    },
  };
}

/**
 * The servers in the order in which they are tried for one message: chosen by weight, then the
 * fallbacks. Those that are passed over come in only when there is no other. One that is full is
 * left out when its turn comes.
 */
function inTurn(servers: readonly OwnServer[]): OwnServer[] {
  const usable = servers.filter(({ isUsable }) => isUsable);
  const all = usable.length > 0 ? usable : servers;
  // The smallest of exponential times comes from each server in proportion to its rate.
  const drawn = all.map((server) => ({ server, at: -Math.log(1 - Math.random()) / server.weight }));
  const sorted = drawn.sort((a, b) => a.at - b.at).map(({ server }) => server);
  return [...sorted.filter((one) => !one.isFallback), ...sorted.filter((one) => one.isFallback)];
}

/** What people are told when no server can be used. Waiting helps if it helps one of them. */
function failureOf(servers: readonly OwnServer[]): ConnectError {
  const failed = servers.flatMap(({ name, failure }) => (failure ? [{ name, failure }] : []));
  const passing = failed.find(({ failure }) => !failure.isFinal);
  const { name, failure } = passing ?? failed[0] ?? { name: '', failure: new ConnectError('', false) };
  const which = servers.length === 1 ? `your SMTP server ${name}` : 'any of your SMTP servers';
  const words = `Nothing leaves through ${which}. ${name}: ${failure.message}`;
  return new ConnectError(words, failure.isFinal, { cause: failure });
}

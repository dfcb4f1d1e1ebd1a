import type { FastifyRequest } from 'fastify';
import type { LinkKeys } from '#features/links/server/index.ts';
import type { ReferenceUse, SendReference } from '#features/messages/server/index.ts';
import { networkOf } from '#platform/server/network.ts';
import { AppError } from '#platform/shared/errors.ts';
import { CallLimit } from './call-limit.ts';

/** Names that we have not made, for one network a minute. They are guesses. */
const guesses = 600;
/** Pages and forms for one name a minute. A reader needs a handful. */
const visits = 60;
/** Opens or clicks of one name that are counted in a minute. More are answered all the same. */
const counted = 30;

/**
 * Reads the names of links, and counts who guesses. What we have signed is not limited by network:
 * the mail programs of a whole country fetch through a few addresses.
 */
export class Guard {
  readonly #references: LinkKeys['references'];
  readonly #guesses = new CallLimit(guesses);
  readonly #visits = new CallLimit(visits);
  readonly #counted = new CallLimit(counted);

  constructor({ references }: LinkKeys) {
    this.#references = references;
  }

  /**
   * The send that a name stands for; null when we have not made it for this use. Throws
   * `rate_limited` for a network that tries many.
   */
  read(use: ReferenceUse, name: string, { ip }: FastifyRequest): SendReference | null {
    const found = this.#references.fromUrl(use, name);
    if (!found && !this.#guesses.take(networkOf(ip))) throw tooMany();
    return found;
  }

  /** Whether an open or a click is counted, so that nobody fills the disk with one link. */
  mayCount(name: string): boolean {
    return this.#counted.take(name);
  }

  /** Counts a call that reads the database or changes something. Throws `rate_limited`. */
  visit(name: string): void {
    if (!this.#visits.take(name)) throw tooMany();
  }
}

const tooMany = () => new AppError('rate_limited', 'Too many calls within a minute.', { retryAfter: 60 });

/**
 * What one feature offers and others use, where an import would turn the dependency round. The
 * feature that needs it declares the port beside its type, in its door; the feature that has it
 * offers it. Features are made in the order of their array, so who offers stands before who uses.
 */
declare const valueOfPort: unique symbol;

export interface Port<T> {
  /** The feature and what is offered: `contacts.judge`. */
  readonly name: string;
  readonly [valueOfPort]?: (value: T) => T;
}

export function port<T>(name: string): Port<T> {
  return { name };
}

/** A port with what stands behind it. */
export interface Offer<T = unknown> {
  port: Port<T>;
  value: T;
}

export function offer<T>(to: Port<T>, value: T): Offer {
  return { port: to, value } as Offer;
}

export interface Ports {
  /** What stands behind a port. Throws where no feature before this one offers it. */
  use<T>(port: Port<T>): T;
  /** The same, or undefined where the product does without it. */
  find<T>(port: Port<T>): T | undefined;
  /** Puts a value behind a port, for the features after this one. */
  offer<T>(port: Port<T>, value: T): void;
}

export function createPorts(offers: readonly Offer[] = []): Ports {
  const values = new Map<Port<unknown>, unknown>(offers.map((one) => [one.port, one.value]));
  return {
    find: <T>(wanted: Port<T>) => values.get(wanted as Port<unknown>) as T | undefined,
    use<T>(wanted: Port<T>) {
      if (!values.has(wanted as Port<unknown>))
        throw new RangeError(`Nobody offers ${wanted.name}: its feature is missing, or stands later.`);
      return values.get(wanted as Port<unknown>) as T;
    },
    offer<T>(to: Port<T>, value: T) {
      if (values.has(to as Port<unknown>)) throw new RangeError(`${to.name} is offered twice.`);
      values.set(to as Port<unknown>, value);
    },
  };
}

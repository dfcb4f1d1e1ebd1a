/**
 * What one feature offers and others use, where an import would reverse the dependency. The feature
 * that needs it declares the port beside its type, in its door. The feature that has it offers it.
 * Features are made in the order of their array, so a feature that offers comes before those that
 * use.
 */
declare const valueOfPort: unique symbol;

export interface Port<T> {
  /** The feature and what it offers: `contacts.judge`. */
  readonly name: string;
  readonly [valueOfPort]?: (value: T) => T;
}

export function port<T>(name: string): Port<T> {
  return { name };
}

/** A port and its value. */
export interface Offer<T = unknown> {
  port: Port<T>;
  value: T;
}

export function offer<T>(to: Port<T>, value: T): Offer {
  return { port: to, value } as Offer;
}

export interface Ports {
  /** The value behind a port. Throws when no earlier feature offers it. */
  use<T>(port: Port<T>): T;
  /** The same, or undefined if nobody offers it. For what the product can do without. */
  find<T>(port: Port<T>): T | undefined;
  /** Puts a value behind a port for later features. */
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

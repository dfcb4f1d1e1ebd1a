/** What name servers said about one name. `unknown`: nobody has answered. */
export interface Said {
  state: 'found' | 'none' | 'unknown';
  values: string[];
}

/** How many questions an SPF record makes receivers ask. */
export interface SpfCost {
  lookups: number;
  /** Why it cannot be evaluated, in words. Null when it can. */
  problem: string | null;
  /** A name server has not answered, so there may be more. */
  isPartial: boolean;
}

/** What was read about a sender domain at one moment. It is judged later. */
export interface DnsFacts {
  /** By selector. */
  dkim: Record<string, Said>;
  /** The TXT records that are SPF records. */
  spf: Said;
  /** Null without exactly one record. */
  spfCost: SpfCost | null;
  dmarc: Said;
  /** Where the DMARC record stands: the domain, or the organisational domain above it. */
  dmarcDomain: string;
  mx: Said;
  /** Null where it is not asked for. */
  tracking: Said | null;
  returnPath: Said | null;
  /**
   * What is wrong with the host for links, in a sentence; null when it answers. Absent where the
   * record does not lead here, or nobody has tried.
   */
  linkProblem?: string | null;
}

export const selectors = ['em1', 'em2'] as const;
export type Selector = (typeof selectors)[number];

/** A key, without what is secret. */
export interface PublicKey {
  selector: Selector;
  publicKey: string;
  madeAt: Date;
  seenAt: Date | null;
  retiredAt: Date | null;
}

import type { z } from 'zod';
import type { EndpointDefinition } from '#platform/shared/contract.ts';
import type { memberCalls } from '../contract.ts';

export interface Group {
  id: number;
  name: string;
  /** Only for lists: it fills itself by its rules. */
  isDynamic?: boolean;
}

/** The calls of lists or of tags, and how people speak of them. */
export interface GroupCalls extends ReturnType<typeof memberCalls> {
  noun: 'list' | 'tag';
  /** All of them. */
  all: EndpointDefinition & { response: z.ZodType<readonly Group[]> };
  /** Makes one with this name. */
  create: (name: string) => Promise<Group>;
}

import type { Caller } from '#platform/server/http.ts';

/** Who works with templates: a person, or a program in a person's name. */
export interface Writer {
  workspaceId: number;
  userId: number;
  /** The person's address, or the key, as the audit log names them. */
  actor: string;
  /** The key's name. Null for a person. */
  key: string | null;
}

export const writerOf = (workspaceId: number, { userId, email, name, key }: Caller): Writer => ({
  workspaceId,
  userId: Number(userId),
  actor: email,
  key: key ? name : null,
});

/** `em_live_<workspace>_<secret>`: the workspace is looked up first, the secret is 256 bits. */
const pattern = /^em_live_([1-9]\d{0,15})_([\w-]{43})$/;

/** How many characters of a key's secret to show: enough to tell keys apart. */
export const shownSecretLength = 4;

/** The workspace that a key names; null for text that is not a key. */
export function workspaceOfKey(key: string): number | null {
  const workspace = Number(pattern.exec(key)?.[1]);
  return Number.isSafeInteger(workspace) ? workspace : null;
}

/** How many calls a key may make per window. */
export const keyLimit = { most: 600, windowSeconds: 60 } as const;

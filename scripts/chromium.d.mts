export function findChromium(env?: Record<string, string | undefined>): string | undefined;
export function ensureChromium(): { path?: string; sentence?: string };

import { inBackground } from '#platform/server/call-context.ts';
import { port } from '#platform/server/ports.ts';

/** Has contacts that came lately indexed for search, instead of with the next minute's round. */
export const searchIndexPort = port<{ soon(): void }>('contacts.search-index');

/** Runs a piece of work when asked, once more if asked meanwhile, never twice at once. */
export function oneAtATime(work: () => Promise<unknown>, onFailure: (error: unknown) => void) {
  let running: Promise<void> | null = null;
  let again = false;
  const soon = (): void => {
    again = true;
    running ??= inBackground(async () => {
      while (again) {
        again = false;
        await work().catch(onFailure);
      }
      running = null;
    });
  };
  return { soon, idle: async () => void (await running) };
}

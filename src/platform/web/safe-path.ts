/**
 * Where to go after signing in: a path of this site, otherwise `/`. Refuses an address that a
 * browser would read as another site (`//host`, `/\host`, or one with a control character inside,
 * because browsers drop it).
 */
export function safePath(next: unknown): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])[^\p{Cc}]*$/u.test(next)) return '/';
  return next === '/auth' || next.startsWith('/auth?') ? '/' : next;
}

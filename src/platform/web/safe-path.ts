/**
 * Where to go after signing in: a path of this site, else `/`. An address that a browser would read
 * as another site (`//host`, `/\host`, or with a control character inside, which browsers drop) is
 * refused.
 */
export function safePath(next: unknown): string {
  if (typeof next !== 'string' || !/^\/(?![/\\])[^\p{Cc}]*$/u.test(next)) return '/';
  return next === '/auth' || next.startsWith('/auth?') ? '/' : next;
}

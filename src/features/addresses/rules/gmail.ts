/** Google's published rules for the name of a mailbox. Its dots and its +tags do not count. */
const longest = 30;

/**
 * Why nobody can have the local part `local` (lower case) at Gmail; null when somebody can. Says
 * nothing about names of two to five letters: Google no longer gives them, but once did.
 */
export function gmailFlaw(local: string): string | null {
  const plus = local.indexOf('+');
  const end = plus < 0 ? local.length : plus;
  let counted = 0;
  for (let at = 0; at < end; at++) {
    const code = local.charCodeAt(at);
    if (code === 46) continue;
    if (!((code >= 97 && code <= 122) || (code >= 48 && code <= 57)))
      return 'a name there has only letters, digits and dots';
    counted++;
  }
  if (counted < 2) return 'a name there has more than one letter';
  return counted > longest ? `a name there has at most ${longest} letters` : null;
}

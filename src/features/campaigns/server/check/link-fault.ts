import { callPublic, type PublicRequest } from '#platform/server/public-request.ts';

/** Statuses of pages that are there, but not for programs. */
const onlyForPeople = new Set([401, 403, 405, 406, 429]);

/** Why a link does not answer; null when it does. */
export async function faultOf(url: string, guard?: PublicRequest['guard']): Promise<string | null> {
  const headers = { 'user-agent': 'Mozilla/5.0 (compatible; EmailManager link check)', accept: '*/*' };
  const ask = (method: 'HEAD' | 'GET') =>
    callPublic(url, { method, headers, redirects: 5, ...(guard ? { guard } : {}) });
  try {
    // Some servers answer a HEAD with an error, or not at all.
    const head = await ask('HEAD').catch(() => null);
    const { status } = head !== null && head.status < 400 ? head : await ask('GET');
    if (status < 400 || onlyForPeople.has(status)) return null;
    return `${url} answers ${status}.`;
  } catch (error) {
    const words = error instanceof Error ? error.message : 'The server gave no answer.';
    return `${url}: ${words}`;
  }
}

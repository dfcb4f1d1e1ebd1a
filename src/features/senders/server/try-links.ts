import { callPublic, NoAnswer } from '#platform/server/public-request.ts';

const gif = 'GIF89a';

/**
 * What is wrong with a host for links, in a sentence. Null when this installation answers there as
 * readers' mail programs ask it. A picture is asked for that counts nothing.
 */
export async function tryLinks(base: string): Promise<string | null> {
  try {
    const { status, body } = await callPublic(`${base}/o/check`, { bodyBytes: 1_000 });
    if (status === 200 && body.subarray(0, gif.length).toString() === gif) return null;
    return 'Another server answers there than this installation.';
  } catch (error) {
    return error instanceof NoAnswer ? error.message : 'It is not on the public internet.';
  }
}

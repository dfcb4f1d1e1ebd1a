import type { FastifyInstance } from 'fastify';
import type { SignedIn } from './sign-in.ts';

/** The headers of a program that calls with a new key of this person. */
export async function keyWith(
  app: FastifyInstance,
  { cookie }: SignedIn,
  ...scopes: string[]
): Promise<{ authorization: string }> {
  const payload = { name: scopes.join(' and '), scopes };
  const made = await app.inject({ method: 'POST', url: '/api/keys', headers: { cookie }, payload });
  if (made.statusCode !== 201) throw new Error(`make a key: ${made.statusCode} ${made.body}`);
  return { authorization: `Bearer ${made.json().key}` };
}

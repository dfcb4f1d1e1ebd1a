import { join } from 'node:path';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#platform/server/config.ts';

/**
 * Serves the web application from `folder`, if there is one, and answers every address that has no
 * route.
 */
export async function servePages(app: FastifyInstance, folder: string | undefined): Promise<void> {
  if (folder !== undefined) await serveFiles(app, folder);
  answerTheRest(app, folder !== undefined);
}

/** The page loads nothing from elsewhere and cannot be framed. Mantine sets styles on elements. */
export function securityHeaders(config: Config) {
  const secure = config.publicUrl.startsWith('https:');
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'"],
        connectSrc: ["'self'"],
        objectSrc: ["'none'"],
        baseUri: ["'self'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...(secure ? { upgradeInsecureRequests: [] } : {}),
      },
    },
    strictTransportSecurity: secure ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'same-origin' as const },
    crossOriginEmbedderPolicy: false,
  };
}

const aYear = 31_536_000;

/** The web application. Hashed assets are cached for ever, its page is always fetched fresh. */
async function serveFiles(app: FastifyInstance, folder: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: folder,
    wildcard: false,
    cacheControl: false,
    preCompressed: true,
    setHeaders: (response, path) => {
      const hashed = path.includes(`${join(folder, 'assets')}`);
      response.header('cache-control', hashed ? `public, max-age=${aYear}, immutable` : 'no-cache');
    },
  });
}

/**
 * For addresses without a route: the web application's page, which has routes of its own, or a
 * normal error.
 */
function answerTheRest(app: FastifyInstance, hasPages: boolean): void {
  app.setNotFoundHandler((request, reply) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    if (hasPages && isRead && !/^\/(api|assets)([/?]|$)/.test(request.url))
      return reply.header('cache-control', 'no-cache').sendFile('index.html');
    return reply.code(404).send({ message: 'There is nothing at this address.', code: 'not_found' });
  });
}

import { z } from 'zod';
import { access, endpoint, raw } from './contract.ts';

/**
 * The calls that monitor and describe the product. None of them signs anybody in or reads anybody's
 * data.
 */
const tag = 'Operations';
const status = z.object({
  status: z.literal('ok'),
  disk: z
    .enum(['ok', 'full'])
    .describe('`full`: reading goes on, and nothing is written until there is room.'),
});

export const getHealth = endpoint({
  method: 'GET',
  path: '/api/health',
  access: access.public,
  isUnguarded: true,
  summary: 'Whether the process is up.',
  tag,
  response: status,
});

export const getReadiness = endpoint({
  method: 'GET',
  path: '/api/ready',
  access: access.public,
  isUnguarded: true,
  summary:
    'Whether calls can be served: the database is reachable and migrated. 503 otherwise. On a full disk, reading can.',
  tag,
  response: status,
  fails: ['unavailable'],
});

export const getMetrics = endpoint({
  method: 'GET',
  path: '/api/metrics',
  access: access.public,
  isUnguarded: true,
  summary:
    'Measurements for Prometheus. Needs `Authorization: Bearer` with METRICS_TOKEN; 404 while none is configured.',
  tag,
  response: raw('text/plain'),
  fails: ['unauthenticated', 'not_found'],
});

export const getApiDocument = endpoint({
  method: 'GET',
  path: '/api/openapi.json',
  access: access.public,
  isUnguarded: true,
  summary: 'This document.',
  tag,
  response: raw('application/json'),
});

export const getApiPage = endpoint({
  method: 'GET',
  path: '/api/docs',
  access: access.public,
  isUnguarded: true,
  summary: 'This document as a page.',
  tag,
  response: raw('text/html'),
});

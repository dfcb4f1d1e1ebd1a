import type { FastifyRequest } from 'fastify';

/** The fields of a form of ours. Forms of mail providers are not read: to send one is enough. */
export const formFields = ({ body }: FastifyRequest): URLSearchParams =>
  new URLSearchParams(typeof body === 'string' ? body : '');

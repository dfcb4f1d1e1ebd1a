import type { ContactSort } from '../contract.ts';

/** The direction of each order when nobody asks for another. */
export const usualOrders: Record<ContactSort, 'asc' | 'desc'> = {
  createdAt: 'desc',
  address: 'asc',
  domain: 'asc',
  verdict: 'asc',
  risk: 'desc',
};

import type { View } from '../contract.ts';

/**
 * The query string that shows a view: its state by the names in the screen's address, and which
 * view it is.
 */
export const addressOfView = ({ id, state }: Pick<View, 'id' | 'state'>): Record<string, unknown> => ({
  ...state,
  view: id,
});

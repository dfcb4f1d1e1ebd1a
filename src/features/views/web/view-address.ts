import type { View } from '../contract.ts';

/**
 * The query string that shows a view: its state under the names in the screen's address, and the
 * view's id.
 */
export const addressOfView = ({ id, state }: Pick<View, 'id' | 'state'>): Record<string, unknown> => ({
  ...state,
  view: id,
});

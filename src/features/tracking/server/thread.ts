/** What threads of other features use, without routes, so that a thread loads little. */
export { carryPauses } from './leaving/pause-queries.ts';
export { carryOpenWishes } from './leaving/wish-queries.ts';

/** What threads of other features use: queries alone, so that a thread loads little. */
export { tagKind } from './tag-kind.ts';

import type { WebFeature } from '#platform/web/feature.ts';
import { reviewWords } from '../rules/words.ts';

/** Its screens stand with those of verification; its lines in the audit log are its own. */
export const reviewFeature: WebFeature = { words: reviewWords, pages: [] };

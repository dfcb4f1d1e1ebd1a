import type { ResponseOf } from '#platform/shared/contract.ts';
import type { importHtml } from '../../contract.ts';

/** The cleaned HTML, and what was done to it. */
export type Imported = ResponseOf<typeof importHtml>;

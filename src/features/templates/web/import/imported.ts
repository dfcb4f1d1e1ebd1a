import type { ResponseOf } from '#platform/shared/contract.ts';
import type { importHtml, importZip } from '../../contract.ts';

/** What a zip held besides its HTML. */
type OfZip = Omit<ResponseOf<typeof importZip>, keyof ResponseOf<typeof importHtml>>;

/** The cleaned HTML, and what was done to it. */
export type Imported = ResponseOf<typeof importHtml> & Partial<OfZip>;

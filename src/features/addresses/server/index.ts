import { domainToASCII, domainToUnicode } from 'node:url';
import type { ServerFeature } from '#platform/server/feature.ts';
import * as contract from '../contract.ts';
import type { Idna } from '../rules/domain.ts';

/**
 * Internationalised domain names by Node's own UTS 46 tables. `toAscii` returns '' for a name that
 * has no ASCII form. Both expect text without `/`, `?`, `#`, `:` and `%`, which Node would read as
 * parts of a URL; the rules ensure that.
 */
export const idna: Required<Idna> = { toAscii: domainToASCII, toUnicode: domainToUnicode };
export { accuracyOfLabelledSet, type LabelledMiss, type LabelledSetAccuracy } from './labelled-set.ts';

/** Rules and lists for other features. It runs nothing by itself. */
export const addressesFeature: ServerFeature = { name: 'addresses', contract };

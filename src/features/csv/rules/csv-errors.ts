import { errorsWith } from '#platform/shared/errors.ts';

/** What can be wrong with a file that should be a CSV. */
export const csvCodes = { not_csv: 'invalid_input', empty_file: 'invalid_input' } as const;

export const csvError = errorsWith(csvCodes);

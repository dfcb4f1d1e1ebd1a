import { type AddressParser, createAddressParser } from '#features/addresses/rules/parse.ts';
import { idna } from '#features/addresses/server/index.ts';

// Two parsers serve all workspaces. Strictness is their only setting, and each remembers the
// domains it has judged.
const parsers = new Map<boolean, AddressParser>();

export function parserFor(strict: boolean): AddressParser {
  const parser = parsers.get(strict) ?? createAddressParser({ ...idna, strict, cacheSlots: 2 ** 12 });
  parsers.set(strict, parser);
  return parser;
}

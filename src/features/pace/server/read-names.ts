import { writtenDomain } from '#features/addresses/rules/written-domain.ts';
import { idna } from '#features/addresses/server/index.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import { AppError } from '#platform/shared/errors.ts';
import type { changePace } from '../contract.ts';

/**
 * What a change of the pace says, with its domains as they are looked up when messages leave: in
 * ASCII. Throws `invalid_input` with the field of one that is none.
 */
export function readNames(given: BodyOf<typeof changePace>): BodyOf<typeof changePace> {
  const { warmUp, warmUps, receiver, receivers, ...rest } = given;
  const warming = <One extends { domain: string }>(one: One, at: string): One => ({
    ...one,
    domain: read(one.domain, `${at}.domain`, 'Write a domain that you send from, such as news.acme.co.uk.'),
  });
  const limited = <One extends { receiver: string }>(one: One, at: string): One => ({
    ...one,
    receiver: read(one.receiver, `${at}.receiver`, 'Write a domain such as google.com.'),
  });
  return {
    ...rest,
    ...(warmUp && { warmUp: warming(warmUp, 'warmUp') }),
    ...(warmUps && { warmUps: warmUps.map((one, index) => warming(one, `warmUps.${index}`)) }),
    ...(receiver && { receiver: limited(receiver, 'receiver') }),
    ...(receivers && { receivers: receivers.map((one, index) => limited(one, `receivers.${index}`)) }),
  };
}

function read(text: string, field: string, words: string): string {
  const domain = writtenDomain(text, idna);
  if (domain === null) throw new AppError('invalid_input', words, { fields: { [field]: words } });
  return domain;
}

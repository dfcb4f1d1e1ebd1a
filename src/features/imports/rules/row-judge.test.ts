import { expect, it } from 'vitest';
import { ukClass } from '#features/addresses/rules.ts';
import { idna } from '#features/addresses/server/index.ts';
import { settings } from '#features/settings/contract.ts';
import { createRowJudge } from '../rules.ts';

const judge = createRowJudge({
  options: { validateEmails: true, filterNonUk: true },
  validation: settings.shape.emailValidation.parse({}),
  toAscii: idna.toAscii,
});

it.each([
  'gov.uk',
  'gov.scot',
  'parliament.scot',
  'gov.wales',
  'nhs.wales',
  's4c.cymru',
  'senedd.cymru',
  'cityoflondon.london',
  'tailor.london',
  'mail.whisky.scot',
])('an import keeps %s, which is British in every other place', (name) => {
  const domain = name === 'gov.uk' ? 'leeds.gov.uk' : name;
  expect(ukClass(domain)).toBe('uk');
  expect(judge(`jo@${domain}`)).toMatchObject({ fate: 'pass', ukClass: 'uk' });
});

it.each([
  ['btinternet.com', 'Likely UK, outside your endings'],
  ['bbc.com', 'Likely UK, outside your endings'],
  ['acme.ie', 'Ends in .ie'],
  ['notscot.com', 'Ends in .com'],
])('an import leaves out %s: %s', (domain, why) => {
  expect(judge(`jo@${domain}`)).toMatchObject({ fate: 'nonUk', why });
});

it.each(['broken@', 'broken', '@broken', 'one@two@'])(
  'a row that is not judged keeps %s as it is',
  (text) => {
    const kept = createRowJudge({
      options: { validateEmails: false, filterNonUk: false },
      validation: settings.shape.emailValidation.parse({}),
      toAscii: idna.toAscii,
    })(text);
    const shown = kept.domain === '' ? kept.local : `${kept.local}@${kept.domain}`;
    expect([kept.fate, kept.address ?? shown, shown]).toEqual(['pass', text, text]);
  },
);

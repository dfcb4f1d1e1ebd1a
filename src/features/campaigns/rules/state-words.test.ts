import { expect, it } from 'vitest';
import { keptReply } from '#features/sending/rules/kept-reply.ts';
import { stateInWords } from './state-words.ts';

it('says of a message in the outbox that it is kept, not that a mail server took it', () => {
  expect(stateInWords('sent', null, `250 2.0.0 ${keptReply}`)).toBe(keptReply);
  expect(stateInWords('sent', null, '250 2.0.0 Ok: queued as 4F2')).toBe('Taken by the mail server');
  expect(stateInWords('sent', null)).toBe('Taken by the mail server');
});

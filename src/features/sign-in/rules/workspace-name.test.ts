import { describe, expect, it } from 'vitest';
import { workspaceName } from './workspace-name.ts';

describe('workspaceName', () => {
  it.each([
    ['Priya Shah', 'priya@gmail.com', "Priya's workspace"],
    ['Priya Shah', 'priya@BTinternet.com', "Priya's workspace"],
    ['Priya Shah', 'priya@nhs.net', "Priya's workspace"],
    ['Priya Shah', 'priya@HarrowgateFoods.co.uk', 'harrowgatefoods.co.uk'],
    ['', 'someone@gmail.com', 'My workspace'],
  ])('of %j <%s> is %j', (name, email, expected) => {
    expect(workspaceName({ name, email })).toBe(expected);
  });
});

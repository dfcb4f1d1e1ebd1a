import { contactsInWords } from '#features/contacts/rules.ts';

/** "Put 12 contacts on a list". With a name: "Put 12 contacts on the list “Newsletter”". */
export function changeInWords(
  { kind, isRemoval }: { kind: 'list' | 'tag'; isRemoval: boolean },
  contacts: number,
  name?: string,
): string {
  const many = contactsInWords(contacts);
  const it = name === undefined ? `a ${kind}` : `the ${kind} “${name}”`;
  if (kind === 'tag') return isRemoval ? `Take ${it} off ${many}` : `Give ${it} to ${many}`;
  return isRemoval ? `Take ${many} off ${it}` : `Put ${many} on ${it}`;
}

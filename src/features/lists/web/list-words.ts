/** What a saved list is told with. */
export function saidOfLists(
  name: string,
  isNew: boolean,
  isDynamic: boolean,
): { title: string; message: string } {
  if (!isNew) return { title: 'List Updated', message: `${name} is saved.` };
  const message = isDynamic ? `${name} fills itself by its rules.` : `Contacts can be put on ${name} now.`;
  return { title: 'List Created', message };
}

import type { z } from 'zod';
import type { uses } from '../contract.ts';

type Uses = z.output<typeof uses>;

/** What still asks for a deleted list or tag, as sentences to add. Empty when nothing does. */
export const usesInWords = (usedBy: Uses): string => {
  const asking = usedBy.filter(({ onlyBlocks }) => !onlyBlocks);
  const showing = usedBy.filter(({ onlyBlocks }) => onlyBlocks);
  return (
    sentence(asking, 'view', 'cannot be opened') +
    sentence(asking, 'list', 'cannot be read any more') +
    sentence(asking, 'campaign', 'cannot be sent') +
    sentence(showing, 'campaign', ...hidden) +
    sentence(asking, 'template', ...hidden)
  );
};

const hidden = ['shows those blocks to nobody', 'show those blocks to nobody'] as const;

const nouns: Record<Uses[number]['kind'], string> = {
  view: 'view',
  list: 'segment',
  campaign: 'campaign',
  template: 'template',
};

function sentence(usedBy: Uses, kind: Uses[number]['kind'], end: string, endOfMany = end): string {
  const names = usedBy.filter((use) => use.kind === kind).map(({ name }) => `“${name}”`);
  const [only] = names;
  if (only === undefined) return '';
  const noun = nouns[kind];
  return names.length === 1
    ? ` The ${noun} ${only} still asks for it and ${end}.`
    : ` The ${noun}s ${names.join(', ')} still ask for it and ${endOfMany}.`;
}

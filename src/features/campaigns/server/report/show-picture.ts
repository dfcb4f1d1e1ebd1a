import { countedLinks } from '#features/links/server/index.ts';
import { compileTemplate, fill } from '#features/templates/rules/compile.ts';
import { mergeData } from '#features/templates/server/index.ts';
import type { TenantTx } from '#platform/server/database.ts';
import { pictureLink } from '../../rules/picture.ts';
import type { CampaignsContext } from '../context.ts';
import { needCampaign } from '../show-campaign.ts';

/**
 * The message of a campaign as it was frozen, with sample values, whose counted links lead to their
 * numbers. Null before it is sent.
 */
export async function showPicture(
  { sending }: CampaignsContext,
  tx: TenantTx,
  workspaceId: number,
  { id, variant }: { id: number; variant: number },
): Promise<{ html: string | null }> {
  const { mailingId } = await needCampaign(tx, workspaceId, id);
  if (mailingId === null) return { html: null };
  const mailing = await sending.content(tx, workspaceId, mailingId, variant);
  if (!mailing) return { html: null };
  const { subject, preheader, html, text, linkBase } = mailing;
  const compiled = compileTemplate({ subject, preheader, html, text });
  const numbers = new Map(
    countedLinks(compiled.links, linkBase)
      .filter(({ part }) => part === 'html')
      .map(({ index, number }) => [index, number]),
  );
  const { data } = await mergeData(tx, workspaceId, undefined);
  const filled = fill(compiled, { ...data, ...mailing.mergeData }, (part, url, index) => {
    const number = part === 'html' ? numbers.get(index) : undefined;
    return number === undefined ? url : pictureLink(number);
  });
  return { html: filled.html };
}

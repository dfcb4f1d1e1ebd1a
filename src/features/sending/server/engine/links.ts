import { countedLinks, type LinkSite, messageLinks } from '#features/links/server/index.ts';
import type { CompiledTemplate } from '#features/templates/rules/compile.ts';
import type { MailingRow } from '../mailing-queries.ts';

/** The links of one message. */
export interface OwnLinks {
  /** Names the send in its Message-ID. */
  name: string;
  /** Also the address of RFC 8058. */
  unsubscribe: string;
  preferences: string;
  view: string;
  /** The address that stands for a link of the template. */
  link: (part: string, url: string, index: number) => string;
  /** The HTML with what tells that it was opened. */
  withPixel(html: string): string;
}

export interface LinkWriter {
  of(sendId: number): OwnLinks;
}

/** The links of a mailing's messages. */
export function linkWriter(
  mailing: Pick<MailingRow, 'workspaceId' | 'id' | 'tracksOpens' | 'tracksClicks' | 'linkBase'>,
  { links }: Pick<CompiledTemplate, 'links'>,
  site: LinkSite,
): LinkWriter {
  const { workspaceId, id: mailingId, tracksOpens, tracksClicks, linkBase } = mailing;
  const linksOf = messageLinks(site, {
    workspaceId,
    mailingId,
    links: tracksClicks ? countedLinks(links, linkBase) : [],
  });
  return {
    of(sendId) {
      const { pixel, ...own } = linksOf(sendId);
      return {
        ...own,
        name: own.view.slice(own.view.lastIndexOf('/') + 1),
        withPixel: tracksOpens ? (html) => atEnd(html, pixelTag(pixel)) : (html) => html,
      };
    },
  };
}

/** A message that is looked at by its sender must not count as opened. */
export const withoutPixel = (html: string): string =>
  html.replace(/<img src="[^"]*\/o\/[\w-]+" width="1" height="1"[^>]*>/g, '');

const pixelTag = (url: string): string =>
  `<img src="${url}" width="1" height="1" alt="" style="display:block;border:0;width:1px;height:1px">`;

function atEnd(html: string, tag: string): string {
  const end = html.lastIndexOf('</body>');
  return end === -1 ? html + tag : html.slice(0, end) + tag + html.slice(end);
}

import type { References } from '#features/messages/server/index.ts';
import type { MailingRow } from '../mailing-queries.ts';

/** The links of one message. */
export interface OwnLinks {
  /** Names the send in its Message-ID. */
  name: string;
  unsubscribe: string;
  /** The address of RFC 8058. */
  oneClick: string;
  preferences: string;
  view: string;
  /** Where bounces go; null: to the sender. */
  returnPath: string | null;
  /** The address that stands for a link of the template. */
  link: ((part: string, url: string, index: number) => string) | undefined;
  /** The HTML with what tells that it was opened. */
  withPixel(html: string): string;
}

export interface LinkWriter {
  of(sendId: number): OwnLinks;
}

/** The links of a mailing's messages. */
export function linkWriter(
  { workspaceId, id: mailingId }: Pick<MailingRow, 'workspaceId' | 'id'>,
  { publicUrl, references }: { publicUrl: string; references: References },
): LinkWriter {
  return {
    of(sendId) {
      const reference = { workspaceId, mailingId, sendId, part: 0 };
      const unsubscribe = `${publicUrl}/u/${references.url('unsubscribe', reference)}`;
      return {
        name: references.url('view', reference),
        unsubscribe,
        oneClick: unsubscribe,
        preferences: `${publicUrl}/p/${references.url('preferences', reference)}`,
        view: `${publicUrl}/v/${references.url('view', reference)}`,
        returnPath: null,
        link: undefined,
        withPixel: (html) => html,
      };
    },
  };
}

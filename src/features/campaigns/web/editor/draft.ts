import type { ChosenSender } from '#features/senders/web/index.ts';
import type { EmailContent } from '#features/templates/web/index.ts';
import type { BodyOf } from '#platform/shared/contract.ts';
import type { Campaign, CampaignAudience, CampaignUtm, updateCampaign } from '../../contract.ts';
import type { WrittenTemplate } from '../../rules/campaign.ts';
import { type TestDraft, testDraftOf, testOf } from './ab-test/test-draft.ts';

/** A campaign as it stands in the editor. */
export interface Draft {
  name: string;
  subject: string;
  preheader: string;
  sender: ChosenSender;
  /** What is not chosen is kept too, until the page is left. */
  writing: 'words' | 'design';
  words: { content: string; template: WrittenTemplate };
  design: EmailContent | null;
  /** The text part. Empty: made from the HTML. */
  textContent: string;
  audience: CampaignAudience;
  trackOpens: boolean;
  trackClicks: boolean;
  utm: CampaignUtm | null;
  /** Null: everybody gets the same. */
  abTest: TestDraft | null;
}

export function draftOf(campaign: Campaign): Draft {
  const { name, subject, preheader, content, template, document, mjml, textContent } = campaign;
  const { fromName, fromAddress, replyTo, audience, trackOpens, trackClicks, utm } = campaign;
  const isDesign = template === 'custom';
  return {
    ...{ name, subject, preheader, audience, trackOpens, trackClicks, utm },
    sender: { fromName, fromAddress, replyTo },
    writing: isDesign ? 'design' : 'words',
    words: isDesign ? { content: '', template: 'simple' } : { content, template },
    design: isDesign ? designOf({ content, document, mjml, preheader }) : null,
    textContent: textContent ?? '',
    abTest: testDraftOf(campaign.abTest),
  };
}

function designOf({
  content,
  document,
  mjml,
  preheader,
}: Pick<Campaign, 'content' | 'document' | 'mjml' | 'preheader'>): EmailContent {
  if (document) return withPreheader({ mode: 'visual', document }, preheader || document.preheader || '');
  return mjml === null ? { mode: 'html', htmlContent: content } : { mode: 'mjml', mjml };
}

/** Documents hold their preheader themselves, so that the visual editor can show it. */
export function withPreheader(content: EmailContent, preheader: string): EmailContent {
  if (content.mode !== 'visual') return content;
  const { preheader: _before, ...document } = content.document;
  return { mode: 'visual', document: preheader === '' ? document : { ...document, preheader } };
}

/** What another design changes of a draft. Its preheader follows that of a document. */
export function designed(draft: Draft, design: EmailContent): Partial<Draft> {
  if (design.mode === 'visual') {
    const wasVisual = draft.design?.mode === 'visual';
    const { preheader } = design.document;
    if (wasVisual || preheader) return { design, preheader: preheader ?? '' };
    return { design: withPreheader(design, draft.preheader) };
  }
  // The preheader of a document is part of the HTML and the MJML that it becomes.
  return draft.design?.mode === 'visual' ? { design, preheader: '' } : { design };
}

/** A draft as the call takes it. */
export function bodyOf(draft: Draft): BodyOf<typeof updateCampaign> {
  const { name, subject, preheader, sender, audience, trackOpens, trackClicks, utm } = draft;
  const textContent = draft.textContent.trim() === '' ? null : draft.textContent;
  return {
    ...{ name, subject, preheader, ...sender, audience, trackOpens, trackClicks, utm, textContent },
    ...contentOf(draft),
    abTest: testOf(draft.abTest),
  };
}

function contentOf({ writing, words, design }: Draft): BodyOf<typeof updateCampaign> {
  if (writing === 'words' || design === null) return words;
  if (design.mode === 'html') return { content: design.htmlContent, template: 'custom' };
  return design.mode === 'mjml' ? { mjml: design.mjml } : { document: design.document };
}

export const isSameDraft = (one: Draft, other: Draft): boolean =>
  one === other || JSON.stringify(bodyOf(one)) === JSON.stringify(bodyOf(other));

import type { AbTest, Difference } from '../../../contract/ab-test.ts';

/** A variant as it is being written. Only the fields of what differs count. */
export interface VariantDraft {
  /** Tells variants apart while some are added and removed. */
  key: number;
  subject: string;
  preheader: string;
  sender: { fromName: string | null; fromAddress: string | null; replyTo: string | null };
  content: string;
  /** The template that the content was copied from. */
  copiedFrom: string | null;
  delayHours: number | '';
}

/** A test as it is being written. A variant that says nothing yet is not stored. */
export interface TestDraft extends Pick<AbTest, 'share' | 'decideBy' | 'hours'> {
  differs: Difference;
  variants: VariantDraft[];
}

export const newVariant = (key: number): VariantDraft => ({
  ...{ key, subject: '', preheader: '', content: '', copiedFrom: null, delayHours: '' },
  sender: { fromName: null, fromAddress: null, replyTo: null },
});

export const newTest = (): TestDraft => ({
  ...{ differs: 'subject', share: 20, decideBy: 'clicks', hours: 4 },
  variants: [newVariant(1)],
});

/** The test with another variant, as far as that is still there. */
export const withVariant = (test: TestDraft, key: number, patch: Partial<VariantDraft>): TestDraft => ({
  ...test,
  variants: test.variants.map((one) => (one.key === key ? { ...one, ...patch } : one)),
});

export const withOneMore = (test: TestDraft): TestDraft => ({
  ...test,
  variants: [...test.variants, newVariant(Math.max(...test.variants.map(({ key }) => key)) + 1)],
});

export const withoutVariant = (test: TestDraft, key: number): TestDraft => ({
  ...test,
  variants: test.variants.filter((one) => one.key !== key),
});

export function testDraftOf(test: AbTest | null): TestDraft | null {
  if (!test) return null;
  const { differs, share, decideBy, hours } = test;
  return {
    ...{ differs, share, decideBy, hours },
    variants: test.variants.map((given, place) => ({
      ...newVariant(place + 1),
      subject: given.subject ?? '',
      preheader: given.preheader ?? '',
      sender: { fromName: given.fromName ?? null, fromAddress: given.fromAddress ?? null, replyTo: null },
      content: given.content ?? '',
      delayHours: given.delayHours ?? '',
    })),
  };
}

/** The test as the call takes it. Null: none, or no variant says anything yet. */
export function testOf(draft: TestDraft | null): AbTest | null {
  if (!draft) return null;
  const { differs, share, decideBy, hours } = draft;
  const variants = draft.variants.flatMap((variant) => variantOf(differs, variant) ?? []);
  return variants.length === 0 ? null : { differs, share, decideBy, hours, variants };
}

function variantOf(differs: Difference, variant: VariantDraft): AbTest['variants'][number] | null {
  const { subject, preheader, sender, content, delayHours } = variant;
  switch (differs) {
    case 'subject':
      if (subject.trim() === '' && preheader.trim() === '') return null;
      return {
        ...(subject.trim() === '' ? {} : { subject }),
        ...(preheader.trim() === '' ? {} : { preheader }),
      };
    case 'sender':
      if (sender.fromName === null && sender.fromAddress === null) return null;
      return {
        ...(sender.fromName === null ? {} : { fromName: sender.fromName }),
        ...(sender.fromAddress === null ? {} : { fromAddress: sender.fromAddress }),
      };
    case 'content':
      return content.trim() === '' ? null : { content };
    case 'hour':
      return delayHours === '' ? null : { delayHours };
  }
}

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ApiError, call } from '#platform/web/api.ts';
import { previewTemplate, type TemplatePreview } from '../contract.ts';
import type { TemplateDocument } from '../rules/document/schema.ts';

/** What a template is written in: one of three. */
export interface Written {
  htmlContent?: string;
  mjml?: string;
  document?: TemplateDocument;
}

interface Content extends Written {
  textContent: string | null;
  subject?: string;
  preheader?: string;
  contactId?: number | undefined;
}

const isWritten = ({ htmlContent, mjml, document }: Written): boolean =>
  document !== undefined || (htmlContent ?? mjml ?? '').trim() !== '';

/** A template as the server fills it, with what is wrong with it. Null: nothing is asked for. */
export const useFilled = (content: Content | null) =>
  useQuery<TemplatePreview, ApiError>({
    queryKey: [previewTemplate.path, content],
    queryFn: ({ signal }) =>
      call(previewTemplate, {
        body: content ?? { htmlContent: '' },
        signal,
      }),
    enabled: content !== null && isWritten(content),
    placeholderData: keepPreviousData,
    // Each key that is pressed makes another one.
    gcTime: 30_000,
  });

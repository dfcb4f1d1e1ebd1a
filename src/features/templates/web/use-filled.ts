import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ApiError, call } from '#platform/web/api.ts';
import { previewTemplate, type TemplatePreview } from '../contract.ts';

interface Content {
  htmlContent: string;
  textContent: string | null;
  contactId?: number | undefined;
}

/** A template as the server fills it, with what is wrong with it. Null: nothing is asked for. */
export const useFilled = (content: Content | null) =>
  useQuery<TemplatePreview, ApiError>({
    queryKey: [previewTemplate.path, content],
    queryFn: ({ signal }) =>
      call(previewTemplate, {
        body: content ?? { htmlContent: '' },
        signal,
      }),
    enabled: content !== null && content.htmlContent.trim() !== '',
    placeholderData: keepPreviousData,
    // Each key that is pressed makes another one.
    gcTime: 30_000,
  });

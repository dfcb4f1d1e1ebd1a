import { useQuery } from '@tanstack/react-query';
import {
  getTemplate,
  listTemplatePresets,
  listTemplates,
  type Template,
} from '#features/templates/contract.ts';
import type { TemplateDocument } from '#features/templates/rules/document/schema.ts';
import { presetKinds } from '#features/templates/rules/preset-kinds.ts';
import type { EmailContent } from '#features/templates/web/index.ts';
import { call, queryOptionsFor } from '#platform/web/api.ts';
import { capitalise } from '#platform/web/format.ts';

/** An email that a campaign begins with: a template of the workspace, or a preset. */
export type Beginning = {
  name: string;
  content: () => Promise<{ content: EmailContent; textContent: string }>;
} & ({ templateId: number } | { templateId: null; document: TemplateDocument });

/** What a choice of a template holds. The address of the list of campaigns may hold it too. */
export const keyOfTemplate = (id: number): string => `template ${id}`;

/** Stands for what is not there yet, so that nobody takes the layouts for all there is. */
const loading = { value: 'loading', label: 'Loading…', disabled: true };

/** The emails that a campaign can begin with, as the groups of a choice. */
export function useBeginnings() {
  const templates = useQuery(
    queryOptionsFor(listTemplates, { query: { limit: 100, content: 'false' as never } }),
  );
  const presets = useQuery({ ...queryOptionsFor(listTemplatePresets, {}), staleTime: 60_000 });
  const found = new Map<string, Beginning>();
  const own = (templates.data?.items ?? []).map(({ id, name }) => {
    found.set(keyOfTemplate(id), { name, templateId: id, content: () => contentOf(id) });
    return { value: keyOfTemplate(id), label: name };
  });
  const ready = presetKinds.map((kind) => ({
    group: kind === 'everybody' ? 'Presets' : `Presets: ${capitalise(kind)}`,
    items: (presets.data?.items ?? [])
      .filter((preset) => preset.kind === kind)
      .map(({ id, name, document }) => {
        const content = { content: { mode: 'visual' as const, document }, textContent: '' };
        found.set(`preset ${id}`, { name, templateId: null, document, content: async () => content });
        return { value: `preset ${id}`, label: name };
      }),
  }));
  const isLoading = templates.isPending || presets.isPending;
  const groups = [
    { group: 'Your templates', items: own },
    ...ready,
    { group: 'Templates and presets', items: isLoading ? [loading] : [] },
  ].filter(({ items }) => items.length > 0);
  return { groups, find: (key: string) => found.get(key), error: templates.error ?? presets.error };
}

async function contentOf(id: number) {
  const template = await call(getTemplate, { params: { id } });
  return { content: asWritten(template), textContent: template.textContent ?? '' };
}

function asWritten({ mode, document, mjml, htmlContent }: Template): EmailContent {
  if (mode === 'visual' && document) return { mode, document };
  return mode === 'mjml' ? { mode, mjml: mjml ?? '' } : { mode: 'html', htmlContent };
}

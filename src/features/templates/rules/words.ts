import { numbered } from '#features/audit/rules.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const templatesWords: FeatureWords = {
  scopes: {
    'templates:read': { order: 62, words: 'Read templates' },
    'templates:write': { order: 64, words: 'Write, change and delete templates' },
  },
  audit: {
    areas: { templates: { order: 65, label: 'Templates' } },
    kinds: { templates: ['template', 'template_brand', 'template_block'] },
    actions: {
      'template.brought_back': 'Template restored',
      'template.test_sent': 'Test of a template sent',
      'template_brand.changed': 'Look of emails changed',
      'template_block.kept': 'Block kept for emails',
      'template_block.deleted': 'Block for emails deleted',
      'template.version_restored': 'Older version of a template restored',
    },
    details: {
      version: { order: 310, say: numbered('version') },
      copyOf: { order: 312, say: numbered('copy of template') },
      changedFields: { order: 226 },
    },
  },
};

import { numbered } from '#features/audit/rules.ts';
import type { FeatureWords } from '#platform/shared/feature-words.ts';

export const importsWords: FeatureWords = {
  scopes: {
    'imports:read': { order: 50, words: 'Read imports and their receipts' },
    'imports:write': { order: 60, words: 'Import files, and undo imports' },
  },
  audit: {
    areas: { imports: { order: 60, label: 'Imports' } },
    kinds: { imports: ['import', 'imports'] },
    actions: { 'import.undo': 'Import undone', 'import.corrected': 'Row of an import corrected' },
    details: {
      line: { order: 204, say: numbered('line') },
      importId: { order: 302, say: numbered('import') },
    },
  },
};

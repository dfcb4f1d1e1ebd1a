import { createContext } from 'react';
import type { VisualEditorProps } from './visual-props.ts';

/** What the settings ask of whoever shows the editor. */
export type Tools = Pick<VisualEditorProps, 'pickField' | 'pickImage' | 'brand' | 'fields' | 'tags'>;

export const ToolsContext = createContext<Tools>({
  pickField: async () => null,
  fields: [],
});

import type { ReactNode } from 'react';
import type { Block } from '../../rules/document/places.ts';
import type { TemplateDocument } from '../../rules/document/schema.ts';

/** A picture from the library. */
export interface PickedImage {
  src: string;
  alt: string;
  /** In pixels, where known. */
  width?: number | undefined;
}

export interface MergeFieldName {
  /** As in Liquid: `first_name`. */
  name: string;
  label: string;
}

/** A word that contacts are marked with. */
export interface TagName {
  id: number;
  name: string;
}

/** How all emails of the workspace look. */
export interface EditorBrand {
  look: Partial<TemplateDocument['look']>;
  logo?: PickedImage | undefined;
}

export interface SavedBlock {
  id: number;
  name: string;
  type: Block['type'];
}

/** Something wrong with the document, and where. */
export interface FaultyPlace {
  words: string;
  /** Null: not in one block. */
  block: string | null;
  /** The piece of Liquid that it is about, as it is written. */
  liquid: string | null;
  /** The email cannot be filled. */
  isProblem: boolean;
}

/**
 * The visual editor fetches and stores nothing itself: what it needs is given, what changes is
 * told.
 */
export interface VisualEditorProps {
  /** Another object than the one told last replaces what is there; it can be undone. */
  document: TemplateDocument;
  onChange: (document: TemplateDocument) => void;
  brand?: EditorBrand | undefined;
  /** The merge fields that exist, for the words on their chips. */
  fields: readonly MergeFieldName[];
  /** The tags that blocks may ask for. Absent: they are not known yet. */
  tags?: readonly TagName[] | undefined;
  /** What is wrong with the document, as far as it is known. */
  faults?: readonly FaultyPlace[] | undefined;
  /** A block to go to. Another object goes there again. */
  asked?: { block: string } | null;
  /**
   * Asks for a merge field. Answers its Liquid, `{{ first_name | default: "there" }}`; null: none.
   */
  pickField: () => Promise<string | null>;
  /** Asks for a picture. Null: none. Absent: pictures are named by their address. */
  pickImage?: (() => Promise<PickedImage | null>) | undefined;
  savedBlocks?: readonly SavedBlock[];
  /** What is in a saved block, when it is used. Null: it is not there any more. */
  readSavedBlock?: ((id: number) => Promise<Block | null>) | undefined;
  /** Absent: blocks cannot be saved. */
  onSaveBlock?: ((name: string, block: Block) => Promise<void>) | undefined;
  onDeleteSavedBlock?: ((id: number) => Promise<void>) | undefined;
  /** In the bar: after undo and redo, and at its end. */
  barStart?: ReactNode;
  barEnd?: ReactNode;
}

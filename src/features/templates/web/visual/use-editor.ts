import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { toastFailed } from '#platform/web/toast.tsx';
import { type BlockType, blockNames, type FieldLabels } from '../../rules/document/block-words.ts';
import { blockFrom } from '../../rules/document/copied-block.ts';
import {
  insertBlock,
  moveBlock,
  removeBlock,
  replaceBlock,
  whyNotInsert,
  whyNotRemove,
  withNewIds,
} from '../../rules/document/edits.ts';
import { newBlock } from '../../rules/document/new-block.ts';
import { type OutlineItem, outlineOf } from '../../rules/document/outline.ts';
import {
  type Block,
  blocksIn,
  type Direction,
  findBlock,
  isSameList,
  type Place,
  placeBeside,
} from '../../rules/document/places.ts';
import type { TemplateDocument } from '../../rules/document/schema.ts';
import { contraryOf } from '../../rules/document/show-when.ts';
import { tagField, tagsField } from '../../rules/tag-fields.ts';
import { type Faults, faultsOf } from './faults.ts';
import { newId } from './new-id.ts';
import { type EditedDocument, useDocument } from './use-document.ts';
import type { VisualEditorProps } from './visual-props.ts';

export interface Editor extends EditedDocument {
  items: readonly OutlineItem[];
  labels: FieldLabels;
  faults: Faults;
  selected: OutlineItem | undefined;
  /** `focus`: the keyboard goes there too. */
  select: (id: string | null, focus?: boolean) => void;
  /** The item that the keyboard has to go to. It is asked for once. */
  takeFocus: (id: string) => boolean;
  /** The block whose words are being written in place. */
  writing: string | null;
  write: (id: string | null) => void;
  /** What a screen reader says next. */
  told: string;
  tell: (sentence: string) => void;
  add: (type: BlockType, columns?: number, place?: Place) => void;
  put: (block: Block, place?: Place) => void;
  putSaved: (id: number, place?: Place) => Promise<void>;
  paste: (text: string) => void;
  move: (id: string, direction: Direction) => void;
  moveTo: (id: string, place: Place) => void;
  remove: (id: string) => boolean;
  duplicate: (id: string) => void;
  /** Adds the same block below, for those who do not see this one. */
  otherwise: (id: string) => void;
  set: (block: Block, kind?: string) => void;
  setDocument: (document: TemplateDocument, kind?: string) => void;
}

/** All that can be done to a document, with the selection and with what is said about it. */
export function useEditor(props: VisualEditorProps): Editor {
  const edited = useDocument(props.document, props.onChange);
  const { fields, tags } = props;
  const labels = useMemo(() => labelsOf(fields, tags), [fields, tags]);
  const items = useMemo(() => outlineOf(edited.document, labels), [edited.document, labels]);
  const faults = useMemo(() => faultsOf(props.faults ?? []), [props.faults]);
  const selection = useSelection(items);
  const { asked } = props;
  useEffect(() => {
    if (asked) selection.select(asked.block, true);
  }, [asked]);
  const [told, setTold] = useState('');
  // A sentence that is said again has to differ, or nothing is said.
  const tell = useCallback(
    (sentence: string) => setTold((before) => (before === sentence ? `${sentence}\u00a0` : sentence)),
    [],
  );
  const actions = actionsOf(edited, selection, tell, props);
  const latest = useRef(actions);
  latest.current = actions;
  const { readSavedBlock } = props;
  /** It is put into what is there by then. */
  const putSaved = async (id: number, place?: Place) => {
    const block = await readSavedBlock?.(id);
    if (block) latest.current.put(withNewIds(block, newId), place);
  };
  return { ...edited, ...selection, ...actions, putSaved, items, labels, faults, told, tell };
}

/** What fields and tags are called. Once the tags are known, any other one is deleted. */
const labelsOf = (fields: VisualEditorProps['fields'], tags: VisualEditorProps['tags']): FieldLabels =>
  new Map([
    ...fields.map(({ name, label }) => [name, label] as const),
    ...(tags ?? []).map(({ id, name }) => [tagField(id), name] as const),
    ...(tags ? [[tagsField, '(deleted tag)'] as const] : []),
  ]);

function useSelection(items: readonly OutlineItem[]) {
  const [id, setId] = useState<string | null>(null);
  const [writing, write] = useState<string | null>(null);
  const wanted = useRef<string | null>(null);
  const selected = items.find((item) => item.id === id);
  const select = useCallback((next: string | null, focus = false) => {
    if (focus) wanted.current = next;
    setId(next);
    write((current) => (current === next ? current : null));
  }, []);
  const takeFocus = useCallback((item: string) => {
    if (wanted.current !== item) return false;
    wanted.current = null;
    return true;
  }, []);
  const isWriting = items.some((item) => item.id === writing);
  return { selected, select, takeFocus, writing: isWriting ? writing : null, write };
}

type Selection = ReturnType<typeof useSelection>;

/** Toasts are read out too. */
const refuse = (title: string): void => toastFailed({ title });

function actionsOf(
  { document, change, undo, redo }: EditedDocument,
  { selected, select }: Selection,
  tell: (sentence: string) => void,
  { brand }: VisualEditorProps,
) {
  const put = (block: Block, given?: Place) => {
    const place = given ?? placeAfter(document, selected, block);
    const refusal = whyNotInsert(document, place.list, block);
    if (refusal) return refuse(refusal);
    change(insertBlock(document, place, block));
    select(block.id, true);
    tell(`${blockNames[block.type]} added, ${whereIs(insertBlock(document, place, block), block.id)}.`);
  };
  const moveTo = (id: string, place: Place) => {
    const found = findBlock(document, id);
    if (!found) return;
    const refusal = whyNotInsert(document, place.list, found.block, isSameList(found.place.list, place.list));
    if (refusal) return refuse(refusal);
    const moved = moveBlock(document, id, place);
    change(moved);
    select(id, true);
    tell(`${blockNames[found.block.type]} moved, ${whereIs(moved, id)}.`);
  };
  return {
    put,
    moveTo,
    add: (type: BlockType, columns?: number, place?: Place) =>
      put(newBlock(type, { newId, columns, logo: brand?.logo }), place),
    paste: (text: string) => {
      const block = blockFrom(text, newId);
      if (block) put(block);
      else refuse('The clipboard holds no block.');
    },
    move: (id: string, direction: Direction) => {
      const place = placeBeside(document, id, direction);
      if (place) moveTo(id, place);
      else tell(`It can go no further ${direction}.`);
    },
    remove: (id: string): boolean => {
      const refusal = whyNotRemove(document, id);
      const found = findBlock(document, id);
      if (refusal) refuse(refusal);
      if (refusal || !found) return false;
      const next = removeBlock(document, id);
      const { list, at } = found.place;
      const left = blocksIn(next, list);
      const column = list && `${list.columnsId}/${list.column}`;
      change(next);
      select((left[at] ?? left.at(-1))?.id ?? column ?? null, true);
      tell(`${blockNames[found.block.type]} deleted.`);
      return true;
    },
    duplicate: (id: string) => {
      const found = findBlock(document, id);
      if (found) put(withNewIds(found.block, newId), { list: found.place.list, at: found.place.at + 1 });
    },
    otherwise: (id: string) => {
      const found = findBlock(document, id);
      if (!found?.block.showWhen) return;
      const showWhen = contraryOf(found.block.showWhen);
      const { list, at } = found.place;
      put({ ...withNewIds(found.block, newId), showWhen }, { list, at: at + 1 });
    },
    set: (block: Block, kind?: string) =>
      change(replaceBlock(document, block), kind && `${block.id} ${kind}`),
    setDocument: change,
    undo: () => {
      undo();
      tell('Undone.');
    },
    redo: () => {
      redo();
      tell('Done again.');
    },
  };
}

/** Where a new block goes: after what is selected, else before the footer that ends the email. */
function placeAfter(document: TemplateDocument, selected: OutlineItem | undefined, block: Block): Place {
  const { blocks } = document;
  if (selected?.column && block.type !== 'columns')
    return { list: selected.column, at: blocksIn(document, selected.column).length };
  const isTooDeep = block.type === 'columns' && selected && selected.level > 1;
  const id = isTooDeep ? selected.id : selected?.id;
  const holder = isTooDeep ? blocks.find((one) => holds(one, id ?? '')) : undefined;
  const found = holder ? findBlock(document, holder.id) : findBlock(document, id ?? '');
  if (found && !(found.block.type === 'footer' && found.place.at === blocks.length - 1))
    return { list: found.place.list, at: found.place.at + 1 };
  return { list: null, at: blocks.at(-1)?.type === 'footer' ? blocks.length - 1 : blocks.length };
}

const holds = (block: Block, id: string): boolean =>
  block.type === 'columns' &&
  (id.startsWith(`${block.id}/`) || block.columns.some((column) => column.some((one) => one.id === id)));

/** Where a block stands, in words. */
function whereIs(document: TemplateDocument, id: string): string {
  const found = findBlock(document, id);
  if (!found) return '';
  const { list, at } = found.place;
  const position = `${at + 1} of ${blocksIn(document, list).length}`;
  return list ? `${position} in column ${list.column + 1}` : position;
}

import {
  type DragEndEvent,
  type DragMoveEvent,
  type DragStartEvent,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
} from '@dnd-kit/core';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { type Drop, dropAt, type Point } from './drop-place.ts';
import type { Box } from './measure.ts';
import type { NewEntry } from './palette.tsx';
import type { Editor } from './use-editor.ts';

interface Canvas {
  /** The element whose top left is that of the frame. */
  element: RefObject<HTMLElement | null>;
  boxes: RefObject<ReadonlyMap<string, Box>>;
  scale: RefObject<number>;
}

/** Dragging with a mouse or a finger. The keyboard has ways of its own. */
export function useDragging(editor: Editor, canvas: Canvas) {
  const [dragged, setDragged] = useState<string | null>(null);
  const [drop, setDrop] = useState<Drop | undefined>();
  const latest = useRef<Drop | undefined>(undefined);
  const sensors = useSensors(
    useSensor(MouseSensor, { activationConstraint: { distance: 6 } }),
    // A finger that moves at once scrolls.
    useSensor(TouchSensor, { activationConstraint: { delay: 250, tolerance: 8 } }),
  );
  const pointer = usePointer(dragged !== null);
  const show = (next: Drop | undefined) => {
    latest.current = next;
    setDrop(next);
  };
  const follow = (event: DragMoveEvent) => {
    const { document, items } = editor;
    const point = inFrame(pointer.current, canvas);
    const isColumns = isColumnsOf(event, editor);
    show(point && dropAt(point, items, canvas.boxes.current, document, isColumns));
  };
  const end = ({ active }: DragEndEvent) => {
    const place = latest.current?.place;
    const entry = active.data.current?.entry as NewEntry | undefined;
    setDragged(null);
    show(undefined);
    if (!place) return;
    if (entry?.saved) void editor.putSaved(entry.saved.id, place);
    else if (entry) editor.add(entry.type, entry.columns, place);
    else editor.moveTo(String(active.id), place);
  };
  return {
    dragged,
    drop,
    context: {
      sensors,
      onDragStart: ({ active }: DragStartEvent) => setDragged(String(active.data.current?.name ?? '')),
      onDragMove: follow,
      onDragEnd: end,
      onDragCancel: () => {
        setDragged(null);
        show(undefined);
      },
    },
  };
}

const isColumnsOf = ({ active }: DragMoveEvent, { items }: Editor): boolean => {
  const entry = active.data.current?.entry as NewEntry | undefined;
  return (entry?.type ?? items.find(({ id }) => id === active.id)?.block?.type) === 'columns';
};

/**
 * Follows the pointer in the window: what the library tells leaves out how far the canvas scrolled.
 */
function usePointer(isDragging: boolean): RefObject<Point | undefined> {
  const pointer = useRef<Point | undefined>(undefined);
  useEffect(() => {
    if (!isDragging) return;
    const follow = (event: MouseEvent | TouchEvent) => {
      const at = 'touches' in event ? event.touches[0] : event;
      if (at) pointer.current = { x: at.clientX, y: at.clientY };
    };
    addEventListener('mousemove', follow, true);
    addEventListener('touchmove', follow, true);
    return () => {
      removeEventListener('mousemove', follow, true);
      removeEventListener('touchmove', follow, true);
      pointer.current = undefined;
    };
  }, [isDragging]);
  return pointer;
}

/** Where the pointer is, in pixels of the frame. Undefined: outside of it. */
function inFrame(pointer: Point | undefined, { element, scale }: Canvas): Point | undefined {
  const box = element.current?.getBoundingClientRect();
  if (!box || !pointer) return undefined;
  if (pointer.x < box.left || pointer.x > box.right || pointer.y < box.top || pointer.y > box.bottom)
    return undefined;
  return { x: (pointer.x - box.left) / scale.current, y: (pointer.y - box.top) / scale.current };
}

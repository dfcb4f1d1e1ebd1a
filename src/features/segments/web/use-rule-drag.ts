import { type PointerEvent, useState } from 'react';
import { type Draft, moveRule, type Place, placeOf } from './draft.ts';
import type { Edit } from './edit.ts';

type Edge = 'before' | 'after';

/** Where a dragged rule would land. */
interface Target {
  /** `rule 3`, or `place 5` for the head of a group. */
  mark: string;
  edge: Edge;
  place: Place;
  /** The rule beside which it lands. Absent: at the end of the place. */
  beside?: number;
}

export interface RuleDrag {
  /** What a handle does when it is pressed. */
  start: (key: number) => (event: PointerEvent<HTMLButtonElement>) => void;
  /** The edge of this rule or head at which the dragged one would land. */
  markOf: (mark: string) => Edge | undefined;
}

/**
 * Drags rules with mouse or finger, also into another group. Escape leaves them where they were.
 */
export function useRuleDrag(edit: Edit): RuleDrag {
  const [target, setTarget] = useState<Target | null>(null);
  const start = (key: number) => (event: PointerEvent<HTMLButtonElement>) => {
    if (event.button !== 0) return;
    const handle: HTMLButtonElement = event.currentTarget;
    handle.setPointerCapture(event.pointerId);
    let found: Target | null = null;
    const note = (next: Target | null) => {
      found = next;
      setTarget(next);
    };
    const listening = new AbortController();
    const { signal } = listening;
    const end = () => {
      listening.abort();
      note(null);
    };
    handle.addEventListener('pointermove', ({ clientX, clientY }) => note(targetAt(clientX, clientY, key)), {
      signal,
    });
    handle.addEventListener('pointercancel', end, { signal });
    handle.addEventListener(
      'pointerup',
      () => {
        const landed = found;
        end();
        if (landed) edit((draft) => dropped(draft, key, landed), { focus: `handle ${key}` });
      },
      { signal },
    );
    window.addEventListener('keydown', ({ key: pressed }) => pressed === 'Escape' && end(), { signal });
  };
  return { start, markOf: (mark) => (target?.mark === mark ? target.edge : undefined) };
}

/** What lies under the pointer, other than the dragged rule itself. */
function targetAt(x: number, y: number, dragged: number): Target | null {
  const under = document.elementFromPoint(x, y);
  const box = under?.closest<HTMLElement>('[data-place]');
  if (!box) return null;
  const place = box.dataset.place === 'root' ? null : Number(box.dataset.place);
  const row = under?.closest<HTMLElement>('[data-rule]');
  if (!row) return place === null ? null : { mark: `place ${place}`, edge: 'after', place };
  const beside = Number(row.dataset.rule);
  if (beside === dragged) return null;
  const { top, height } = row.getBoundingClientRect();
  return { mark: `rule ${beside}`, edge: y < top + height / 2 ? 'before' : 'after', place, beside };
}

/** The draft with a rule where it was dropped. */
export function dropped(draft: Draft, key: number, { place, beside, edge }: Omit<Target, 'mark'>): Draft {
  const from = placeOf(draft, key);
  if (!from) return draft;
  if (beside === undefined) {
    const rules = place === null ? draft.rules : draft.groups.find((group) => group.key === place)?.rules;
    return moveRule(draft, key, place, (rules?.length ?? 0) - (from.place === place ? 1 : 0));
  }
  const to = placeOf(draft, beside);
  if (!to) return draft;
  const isBelow = from.place === to.place && from.at < to.at;
  return moveRule(draft, key, to.place, to.at + (edge === 'after' ? 1 : 0) - (isBelow ? 1 : 0));
}

import type { DragEvent } from 'react';
import type { Campaign } from '../../contract.ts';
import { leavesBetween, type Span, spanOf } from '../../rules/calendar.ts';

/** A campaign with when it leaves. */
export interface Entry {
  campaign: Campaign;
  span: Span;
}

/** Without a day, it asks for the time. */
export type OnMove = (id: number, day?: string) => void;

/** The campaigns that leave at some time, in the order in which they do. */
export function entriesOf(campaigns: readonly Campaign[], now: Date): Entry[] {
  return campaigns
    .flatMap((campaign) => {
      const span = spanOf(campaign, now);
      return span === null ? [] : [{ campaign, span }];
    })
    .sort((one, other) => one.span.starts.getTime() - other.span.starts.getTime());
}

export const entriesOn = (entries: readonly Entry[], day: string): Entry[] =>
  entries.filter(({ span }) => leavesBetween(span, day, day));

/** What the browser calls a campaign that is dragged: nothing else can be dropped on a day. */
const kind = 'application/x-campaign';

export function startDrag({ dataTransfer }: DragEvent, id: number): void {
  dataTransfer.setData(kind, String(id));
  dataTransfer.effectAllowed = 'move';
}

export const isDrag = ({ dataTransfer }: DragEvent): boolean => dataTransfer.types.includes(kind);

export const draggedOf = ({ dataTransfer }: DragEvent): number => Number(dataTransfer.getData(kind));

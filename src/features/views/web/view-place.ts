import type { View, ViewScreen, ViewState } from '../contract.ts';

/** What a screen tells of itself to the parts that deal with its views. */
export interface ViewPlace {
  screen: ViewScreen;
  /** What the screen shows without a view: "All contacts". */
  allLabel: string;
  /** What the screen shows now. */
  state: ViewState;
  /** The view that is open, as it was saved last. */
  open: View | undefined;
  onOpen: (view: View) => void;
  /** Shows everything, in no view. */
  onAll: () => void;
}

/** What the dialog is about: a new view, or one that is there. */
export type AskedView = 'new' | View;

export interface ViewPartProps {
  place: ViewPlace;
  onAsk: (asked: AskedView) => void;
}

export interface ViewDialogProps {
  place: ViewPlace;
  /** Null: closed. */
  asked: AskedView | null;
  onClose: () => void;
}

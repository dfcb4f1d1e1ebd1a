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

/** A view, as it is now, that somebody changed after it was opened here; `words` say who. */
export interface ChangedView {
  changed: View;
  words: string;
}

/** What the dialogs are about: a new view, one that is there, or one that would be overwritten. */
export type AskedView = 'new' | View | ChangedView;

export interface ViewPartProps {
  place: ViewPlace;
  onAsk: (asked: AskedView) => void;
}

export interface ViewDialogProps extends ViewPartProps {
  /** Null: closed. */
  asked: AskedView | null;
  onClose: () => void;
}

/** The same for one kind of question; null while it is not asked. */
export type Asking<T> = Omit<ViewDialogProps, 'asked'> & { asked: T | null };

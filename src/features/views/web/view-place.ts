import type { ReactNode } from 'react';
import type { View, ViewScreen, ViewState } from '../contract.ts';

/** What a screen says about itself to the parts that handle its views. */
export interface ViewPlace {
  screen: ViewScreen;
  /** What the screen shows without a view: "All contacts". */
  allLabel: string;
  /** What the screen shows now. */
  state: ViewState;
  /** The open view, as it was last saved. */
  open: View | undefined;
  onOpen: (view: View) => void;
  /** Shows everything, without a view. */
  onAll: () => void;
  /** Further items for the end of the menu, where the screen has some. */
  more?: ReactNode;
}

/** A view as it is now, changed by somebody since it was opened here. `words` say who. */
export interface ChangedView {
  changed: View;
  words: string;
}

/** What the dialogs are about: a new view, an existing one, or one that would be overwritten. */
export type AskedView = 'new' | View | ChangedView;

export interface ViewPartProps {
  place: ViewPlace;
  onAsk: (asked: AskedView) => void;
}

export interface ViewDialogProps extends ViewPartProps {
  /** Null means closed. */
  asked: AskedView | null;
  onClose: () => void;
}

/** The same for one kind of question. Null while it is not asked. */
export type Asking<T> = Omit<ViewDialogProps, 'asked'> & { asked: T | null };

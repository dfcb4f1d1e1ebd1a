import { useState } from 'react';

/**
 * Whether a dialog is open that is for a campaign that can still be changed. It opens for no other,
 * but stays when the campaign leaves meanwhile: what was typed into it would be lost.
 */
export function useStaysOpen(isAsked: boolean, mayOpen: boolean): boolean {
  const [wasOpen, setWasOpen] = useState(false);
  const isOpen = isAsked && (mayOpen || wasOpen);
  if (isOpen !== wasOpen) setWasOpen(isOpen);
  return isOpen;
}

/** Every dialog of this feature that another screen may open. */
export interface ContactDialogProps {
  opened: boolean;
  onClose: () => void;
}

/** An image that somebody chose for an email. */
export interface PickedImage {
  /** Its public address. */
  url: string;
  /** Empty: it only decorates. */
  alt: string;
  /** Pixels. Emails show it at half of that on screens of high density. */
  width: number;
  height: number;
}

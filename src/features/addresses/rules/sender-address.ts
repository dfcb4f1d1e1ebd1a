/** RFC 5321 `Dot-string`, with what RFC 6531 adds to it. Others would need quotes. */
const local = /^[\w!#$%&'*+\-/=?^`{|}~\u00a0-\u{10ffff}]+(?:\.[\w!#$%&'*+\-/=?^`{|}~\u00a0-\u{10ffff}]+)*$/u;
const label = /^[\p{L}\p{N}_](?:[\p{L}\p{N}\p{M}_-]*[\p{L}\p{N}\p{M}_])?$/u;
const lastLabel = /^(?:[\p{L}\p{M}]{2,}|xn--[a-z0-9-]*[a-z0-9])$/iu;

/** Whether mail can come from an address, and go back to it. Mail servers may still refuse it. */
export function isSenderAddress(text: string): boolean {
  const at = text.lastIndexOf('@');
  if (at < 1 || /[\s\p{C}]/u.test(text) || !local.test(text.slice(0, at))) return false;
  const labels = text.slice(at + 1).split('.');
  if (labels.length < 2 || labels.some((one) => one.length > 63 || !label.test(one))) return false;
  return lastLabel.test(labels.at(-1) ?? '');
}

/** What a field for such an address says of other text. */
export const notSenderAddress = 'Write an address such as hello@yourbusiness.co.uk.';

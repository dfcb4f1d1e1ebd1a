import { AddressText } from '#platform/web/components/address-text.tsx';
import { Mono } from '#platform/web/components/mono.tsx';

/** A row that contains only an address. */
const addressAlone = /^[^\s,;|"<>]+@[^\s,;|"<>]+$/;

/**
 * A row as it is in its file, on one line. A lone address is shortened in its middle, so its end
 * stays visible.
 */
export const RowText = ({ text }: { text: string }) => (
  <Mono>{addressAlone.test(text) ? <AddressText address={text} /> : <span title={text}>{text}</span>}</Mono>
);

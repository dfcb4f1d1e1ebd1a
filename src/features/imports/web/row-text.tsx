import { AddressText } from '#platform/web/components/address-text.tsx';
import { Mono } from '#platform/web/components/mono.tsx';

/** A row that is an address and nothing else. */
const addressAlone = /^[^\s,;|"<>]+@[^\s,;|"<>]+$/;

/** A row as it stands in its file, on one line. An address alone keeps its end there too. */
export const RowText = ({ text }: { text: string }) => (
  <Mono>{addressAlone.test(text) ? <AddressText address={text} /> : <span title={text}>{text}</span>}</Mono>
);

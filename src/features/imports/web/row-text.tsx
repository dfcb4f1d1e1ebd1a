import { AddressText } from '#platform/web/components/address-text.tsx';
import { Mono } from '#platform/web/components/mono.tsx';
import { addresses, fromNearAddress } from './import-words.ts';

/** A row that contains only an address. */
const addressAlone = /^[^\s,;|"<>]+@[^\s,;|"<>]+$/;

/**
 * A row as it is in its file. A lone address is shortened in its middle, so its end stays visible.
 * Among other cells the addresses stand out.
 */
export const RowText = ({ text }: { text: string }) => (
  <Mono>
    {addressAlone.test(text) ? (
      <AddressText address={text} />
    ) : (
      <span title={text}>
        {fromNearAddress(text)
          .split(addresses)
          .map((part, at) =>
            // Split at a group: what it matched stands at the odd places.
            at % 2 === 1 ? <b key={`${at} ${part}`}>{part}</b> : part,
          )}
      </span>
    )}
  </Mono>
);

import type { CSSProperties } from 'react';
import classes from './address-text.module.css';

/** A domain no longer than this is never cut. */
const shortDomain = 14;
/**
 * This many characters at the end of a longer domain always show: “.co.uk”, and part of the name.
 */
const end = 10;

/**
 * An address, or just a domain, on one line of a table. If there is no room, it is cut in the
 * middle: first the local part shrinks, then what stands before the end of the domain. So addresses
 * that begin alike stay distinct, and the domain stays readable.
 */
export function AddressText({ address }: { address: string }) {
  // A name instead of an address is words, so it is cut at its end.
  if (/\s/.test(address)) return <span title={address}>{address}</span>;
  const at = Math.max(address.lastIndexOf('@'), 0);
  const local = address.slice(0, at);
  const domain = address.slice(at);
  const middle = domain.length > shortDomain ? domain.slice(0, -end) : '';
  const rest = domain.slice(middle.length);
  const lengths = { '--local': local.length, '--domain': domain.length, '--rest': rest.length };
  return (
    <span className={classes.address} title={address} style={lengths as CSSProperties}>
      {local && <span className={classes.local}>{local}</span>}
      {middle && <span className={classes.middle}>{middle}</span>}
      {rest}
    </span>
  );
}

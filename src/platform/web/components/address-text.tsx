import type { CSSProperties } from 'react';
import classes from './address-text.module.css';

/** Of a domain no longer than this nothing is left out. */
const shortDomain = 14;
/** So much of a longer one's end is always there: “.co.uk”, and of what name. */
const end = 10;

/**
 * An address, or a domain alone, on one line of a table. Where there is no room it is cut in the
 * middle: the local part gives way first, then what stands before the end of its domain. So
 * addresses that begin alike stay apart, and whose they are can be read.
 */
export function AddressText({ address }: { address: string }) {
  // Where somebody goes by a name instead: words, which are cut at their end.
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

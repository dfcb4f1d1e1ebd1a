import classes from './address-text.module.css';

/**
 * An address on one line of a table. Where there is no room it is cut in the middle, before its domain: addresses that begin alike
 * stay apart. Only a domain that is too long by itself loses its end.
 */
export function AddressText({ address }: { address: string }) {
  const at = address.lastIndexOf('@');
  if (at < 1) return <span title={address}>{address}</span>;
  const domain = address.slice(at);
  return (
    <span title={address} style={{ '--domain-length': domain.length } as React.CSSProperties}>
      <span className={classes.name}>{address.slice(0, at)}</span>
      {domain}
    </span>
  );
}

/** RFC 5321, section 4.5.2: a line that begins with a dot gets another one. */
export function stuffed(raw: Buffer): Buffer {
  const endsLine = raw.subarray(-2).equals(lineEnd);
  const hasDots = raw[0] === 46 || raw.indexOf('\r\n.') !== -1;
  if (!hasDots) return endsLine ? raw : Buffer.concat([raw, lineEnd]);
  const text = raw.toString('latin1').replace(/(^|\r\n)\./g, '$1..');
  return Buffer.from(endsLine ? text : `${text}\r\n`, 'latin1');
}
const lineEnd = Buffer.from('\r\n');

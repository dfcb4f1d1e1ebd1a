import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';

// A certificate that signs itself, in the few bytes of DER that it takes (RFC 5280).

const der = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const length = body.length < 128 ? [body.length] : [0x82, body.length >> 8, body.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: Buffer[]) => der(0x30, ...parts);
const sha256WithRsa = sequence(Buffer.from('06092a864886f70d01010b0500', 'hex'));
const commonName = Buffer.from('0603550403', 'hex');
const utcTime = (at: Date) =>
  der(0x17, Buffer.from(`${at.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`));

export interface Certificate {
  pem: string;
  privateKey: KeyObject;
}

export function makeCertificate(name: string, { until = new Date(Date.now() + 864e5) } = {}): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const holder = sequence(der(0x31, sequence(commonName, der(0x0c, Buffer.from(name)))));
  const signed = sequence(
    der(0x02, Buffer.from([1])),
    sha256WithRsa,
    holder,
    sequence(utcTime(new Date(until.getTime() - 2 * 864e5)), utcTime(until)),
    holder,
    publicKey.export({ type: 'spki', format: 'der' }),
  );
  const signature = createSign('sha256').update(signed).sign(privateKey);
  const whole = sequence(signed, sha256WithRsa, der(0x03, Buffer.from([0]), signature));
  const lines = whole.toString('base64').match(/.{1,64}/g) ?? [];
  return { pem: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`, privateKey };
}

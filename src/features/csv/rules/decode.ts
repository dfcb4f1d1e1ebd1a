import type { Encoding } from './dialect.ts';

interface Decoder {
  decode(input?: Uint8Array, options?: { stream?: boolean }): string;
}

// Declared here because rules are checked without the server's or the browser's types. The platform
// has it.
declare const TextDecoder: new (label: string, options?: { fatal?: boolean; ignoreBOM?: boolean }) => Decoder;

/** A decoder that keeps the byte order mark and, if `fatal`, throws on ill-formed input. */
export function decoderFor(encoding: Encoding, fatal = false): Decoder {
  return new TextDecoder(encoding, { ignoreBOM: true, fatal });
}

/** Length of the UTF-8 sequence that is cut off at the end of `bytes`: 0 to 3. */
export function cutTail(bytes: Uint8Array): number {
  const end = bytes.length;
  for (let back = 1; back <= 3 && back <= end; back++) {
    const byte = bytes[end - back] as number;
    if (byte < 0x80) return 0;
    if (byte >= 0xc0) {
      const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return needed > back ? back : 0;
    }
  }
  return 0;
}

/**
 * Turns the consecutive pieces of a byte stream into text. A character may be cut by the end of a
 * piece. The text has no lone surrogates.
 *
 * In UTF-8, invalid bytes are read as Windows-1252: the encoding is detected from the file's head,
 * and the first accent of a file from an old spreadsheet may come much later. In UTF-16, ill-formed
 * input becomes U+FFFD.
 *
 * For UTF-8, this code keeps a cut sequence for the next piece itself instead of asking the decoder
 * to stream: the one-shot path of the platform's decoder is several times as fast.
 */
export function createDecoder(encoding: Encoding): (piece: Uint8Array, last: boolean) => string {
  const decoder = decoderFor(encoding);
  if (encoding !== 'utf-8') return (piece, last) => decoder.decode(piece, { stream: !last });

  let held = new Uint8Array(0);
  return (piece, last) => {
    let bytes = piece;
    if (held.length > 0) {
      bytes = new Uint8Array(held.length + piece.length);
      bytes.set(held);
      bytes.set(piece, held.length);
      held = new Uint8Array(0);
    }
    const cut = last ? 0 : cutTail(bytes);
    if (cut > 0) {
      held = bytes.slice(bytes.length - cut);
      bytes = bytes.subarray(0, bytes.length - cut);
    }
    const text = decoder.decode(bytes);
    return text.includes('\ufffd') ? decodeMixed(bytes, decoder) : text;
  };
}

function decodeMixed(bytes: Uint8Array, utf8: Decoder): string {
  const windows = decoderFor('windows-1252');
  let text = '';
  let from = 0;
  let at = 0;
  while (at < bytes.length) {
    const length = sequenceLength(bytes, at);
    if (length > 0) {
      at += length;
      continue;
    }
    text += utf8.decode(bytes.subarray(from, at)) + windows.decode(bytes.subarray(at, at + 1));
    at++;
    from = at;
  }
  return text + utf8.decode(bytes.subarray(from));
}

/**
 * Length of the well-formed UTF-8 sequence at `at` (Unicode Standard, table 3-7); 0 when there is
 * none.
 */
function sequenceLength(bytes: Uint8Array, at: number): number {
  const first = bytes[at] as number;
  if (first < 0x80) return 1;
  if (first < 0xc2 || first > 0xf4) return 0;
  const second = bytes[at + 1] ?? 0;
  const least = first === 0xe0 ? 0xa0 : first === 0xf0 ? 0x90 : 0x80;
  const most = first === 0xed ? 0x9f : first === 0xf4 ? 0x8f : 0xbf;
  if (second < least || second > most) return 0;
  const length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (let i = 2; i < length; i++) if (((bytes[at + i] ?? 0) & 0xc0) !== 0x80) return 0;
  return length;
}

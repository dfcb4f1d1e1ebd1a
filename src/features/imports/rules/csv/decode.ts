import type { Encoding } from './dialect.ts';

interface Decoder {
  decode(input?: Uint8Array, options?: { stream?: boolean }): string;
}

// The platform's own: neither the server's nor the browser's types are in scope where rules are checked.
declare const TextDecoder: new (label: string, options?: { fatal?: boolean; ignoreBOM?: boolean }) => Decoder;

/** A decoder that keeps the byte order mark, or throws on ill-formed input when `fatal`. */
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
 * Turns the consecutive pieces of a byte stream into text; a character may be cut by the end of a piece.
 * Ill-formed input becomes U+FFFD, so no lone surrogate comes out.
 *
 * UTF-8 holds a cut sequence back itself instead of asking the decoder to stream: the one-shot path of the
 * platform's decoder is several times as fast.
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
    return decoder.decode(bytes);
  };
}

/*
 * Stores the addresses of a file exactly and in little memory: 15 million take about 540 MB, where
 * a Map of texts takes over 2 GB (docs/decisions/0015-command-line.md).
 *
 * Entries follow each other in chunks of bytes and never move. An index with open addressing points
 * at them. Each slot has four bytes for the place and one byte of the hash. The hash bytes are
 * close together and reveal nearly every probe that misses. A hit compares the whole text, so no
 * two addresses are ever confused. To grow, the old index is dropped before the new one is built
 * from the entries, so they never exist at the same time.
 */

const chunkBits = 24;
const chunkBytes = 2 ** chunkBits;
/**
 * An entry has these before its text, little-endian: its value, the prefix, and its length in one
 * byte, or in two bytes after the marker 255.
 */
const lengthAt = 4 + 4;
const longLength = 255;
const longestText = 65_535;
const mostFilled = 0.8;
const growth = 1.4;
const firstSlots = 1024;

/** Texts under a numeric prefix. Each keeps the number it was first put with. */
class TextTable {
  #chunks: Buffer[] = [];
  /** Bytes used in each chunk. */
  #used: number[] = [];
  #places: Uint32Array<ArrayBuffer> = new Uint32Array(firstSlots);
  #tags: Uint8Array<ArrayBuffer> = new Uint8Array(firstSlots);
  readonly #scratch = Buffer.alloc(longestText);
  #length = 0;
  size = 0;

  get bytes(): number {
    return this.#chunks.length * chunkBytes + this.#places.byteLength + this.#tags.byteLength;
  }

  /**
   * The number that the text was first put with. Undefined when it is new, and then it gets
   * `value`.
   */
  put(prefix: number, text: string, value: number): number | undefined {
    const hash = this.#read(prefix, text);
    const slot = this.#slotOf(hash, prefix);
    if (this.#tags[slot] !== free) return this.#valueAt(this.#places[slot] as number);
    this.#places[slot] = this.#append(prefix, value);
    this.#tags[slot] = tagOf(hash);
    this.size++;
    if (this.size > this.#places.length * mostFilled) this.#grow();
    return undefined;
  }

  find(prefix: number, text: string): number | undefined {
    const slot = this.#slotOf(this.#read(prefix, text), prefix);
    return this.#tags[slot] === free ? undefined : this.#valueAt(this.#places[slot] as number);
  }

  /** Puts the text's bytes where they can be compared and returns their hash. */
  #read(prefix: number, text: string): number {
    const bytes = this.#scratch;
    const length = text.length;
    if (length * 3 > longestText) throw new Error(`a text of ${length} characters is too long for the table`);
    this.#length = length;
    for (let at = 0; at < length; at++) {
      const code = text.charCodeAt(at);
      if (code > 127) {
        this.#length = bytes.write(text, 'utf8');
        break;
      }
      bytes[at] = code;
    }
    return hashOf(bytes, 0, this.#length, prefix);
  }

  /** The slot of the text just read: the one it has, or the free one it would take. */
  #slotOf(hash: number, prefix: number): number {
    const tags = this.#tags;
    const slots = tags.length;
    const wanted = tagOf(hash);
    let slot = firstSlot(hash, slots);
    for (;;) {
      const tag = tags[slot];
      if (tag === free || (tag === wanted && this.#isAt(this.#places[slot] as number, prefix))) return slot;
      if (++slot === slots) slot = 0;
    }
  }

  #isAt(place: number, prefix: number): boolean {
    const chunk = this.#chunks[place >>> chunkBits] as Buffer;
    const at = place & (chunkBytes - 1);
    const length = this.#length;
    if (chunk.readUInt32LE(at + 4) !== prefix || lengthIn(chunk, at) !== length) return false;
    const scratch = this.#scratch;
    const from = at + headBytes(length);
    for (let i = 0; i < length; i++) if (chunk[from + i] !== scratch[i]) return false;
    return true;
  }

  #valueAt(place: number): number {
    return (this.#chunks[place >>> chunkBits] as Buffer).readUInt32LE(place & (chunkBytes - 1));
  }

  #append(prefix: number, value: number): number {
    const length = this.#length;
    const needed = headBytes(length) + length;
    let last = this.#chunks.length - 1;
    if (last < 0 || (this.#used[last] as number) + needed > chunkBytes) {
      last++;
      if (last * chunkBytes >= 2 ** 32) throw new Error('more addresses than can be held: over 4 GB of them');
      this.#chunks.push(Buffer.allocUnsafeSlow(chunkBytes));
      this.#used.push(0);
    }
    const chunk = this.#chunks[last] as Buffer;
    const at = this.#used[last] as number;
    chunk.writeUInt32LE(value, at);
    chunk.writeUInt32LE(prefix, at + 4);
    if (length < longLength) chunk[at + lengthAt] = length;
    else {
      chunk[at + lengthAt] = longLength;
      chunk.writeUInt16LE(length, at + lengthAt + 1);
    }
    this.#scratch.copy(chunk, at + headBytes(length), 0, length);
    this.#used[last] = at + needed;
    return last * chunkBytes + at;
  }

  #grow(): void {
    const slots = Math.ceil(this.#places.length * growth);
    // Frees the memory now, because garbage collection would come too late.
    this.#places.buffer.transfer(0);
    this.#tags.buffer.transfer(0);
    const places = new Uint32Array(slots);
    const tags = new Uint8Array(slots);
    for (const [number, chunk] of this.#chunks.entries()) {
      const end = this.#used[number] as number;
      for (let at = 0; at < end; ) {
        const length = lengthIn(chunk, at);
        const hash = hashOf(chunk, at + headBytes(length), length, chunk.readUInt32LE(at + 4));
        let slot = firstSlot(hash, slots);
        while (tags[slot] !== free) if (++slot === slots) slot = 0;
        places[slot] = number * chunkBytes + at;
        tags[slot] = tagOf(hash);
        at += headBytes(length) + length;
      }
    }
    this.#places = places;
    this.#tags = tags;
  }
}

const headBytes = (length: number): number => lengthAt + (length < longLength ? 1 : 3);

function lengthIn(chunk: Buffer, at: number): number {
  const length = chunk[at + lengthAt] as number;
  return length < longLength ? length : chunk.readUInt16LE(at + lengthAt + 1);
}

const free = 0;
/** 1 to 255. The upper bits choose the slot, the lower bits are the tag. */
const tagOf = (hash: number): number => hash & 0xff || 1;
const firstSlot = (hash: number, slots: number): number => Math.floor((hash >>> 0) * (slots / 2 ** 32));

/**
 * Multiplies and rotates four bytes per step and mixes well at the end. Collisions cost time but
 * never an address.
 */
function hashOf(bytes: Uint8Array, from: number, length: number, prefix: number): number {
  let hash = Math.imul(prefix ^ 0x2545f491, 0x9e3779b1) ^ length;
  const end = from + length;
  let at = from;
  for (; at + 4 <= end; at += 4) {
    const word =
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    hash = mixed(hash, word);
  }
  let rest = 0;
  for (; at < end; at++) rest = (rest << 8) | (bytes[at] as number);
  hash = mixed(hash, rest);
  hash = Math.imul(hash ^ (hash >>> 16), 0x7feb352d);
  hash = Math.imul(hash ^ (hash >>> 15), 0x846ca68b);
  return hash ^ (hash >>> 16);
}

function mixed(hash: number, word: number): number {
  const product = Math.imul(word, 0x3c6ef372 | 1);
  const both = hash ^ ((product << 15) | (product >>> 17));
  return Math.imul((both << 13) | (both >>> 19), 0x85ebca77);
}

/** Addresses by identity key, each with a number below 2^32. */
export class AddressTable {
  readonly #domains = new TextTable();
  readonly #locals = new TextTable();

  get size(): number {
    return this.#locals.size;
  }

  /** Bytes held, approximately. */
  get bytes(): number {
    return this.#domains.bytes + this.#locals.bytes;
  }

  /**
   * The number that the address was first put with. Undefined when it is new, and then it gets
   * `value`.
   */
  put(local: string, domain: string, value: number): number | undefined {
    const next = this.#domains.size;
    return this.#locals.put(this.#domains.put(0, domain, next) ?? next, local, value);
  }

  find(local: string, domain: string): number | undefined {
    const number = this.#domains.find(0, domain);
    return number === undefined ? undefined : this.#locals.find(number, local);
  }
}

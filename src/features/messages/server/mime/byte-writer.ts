/** Bytes that grow. One is used for many messages, so that each costs one copy at the end. */
export class ByteWriter {
  bytes = Buffer.allocUnsafe(16_384);
  length = 0;

  /** Makes room for at least `more` bytes. */
  reserve(more: number): void {
    if (this.length + more <= this.bytes.length) return;
    const larger = Buffer.allocUnsafe(Math.max(this.length + more, this.bytes.length * 2));
    this.bytes.copy(larger, 0, 0, this.length);
    this.bytes = larger;
  }

  write(text: string): void {
    this.reserve(text.length * 3);
    this.length += this.bytes.write(text, this.length);
  }

  copied(): Buffer {
    return Buffer.from(this.bytes.subarray(0, this.length));
  }
}

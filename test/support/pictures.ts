import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

let count = 0;

interface Wanted {
  width?: number;
  height?: number;
  format?: 'png' | 'jpeg' | 'gif' | 'webp' | 'tiff' | 'avif';
  hasAlpha?: boolean;
}

/** A plain picture, unlike every other that this made. */
export function picture({ width = 40, height = 30, format = 'png', hasAlpha = false }: Wanted = {}) {
  count += 1;
  const background = {
    r: count % 256,
    g: Math.floor(count / 256),
    b: process.pid % 256,
    alpha: hasAlpha ? 0.5 : 1,
  };
  const made = sharp({ create: { width, height, channels: hasAlpha ? 4 : 3, background } });
  return made.toFormat(format).toBuffer();
}

/** A picture of a photograph's size in bytes: noise is hard to compress. */
export const noisePicture = ({ width = 1600, height = 900, format = 'jpeg' }: Wanted = {}) =>
  sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'white',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  })
    .toFormat(format)
    .toBuffer();

/** An animation of flat frames. */
export async function animation({
  width = 60,
  height = 40,
  frames = 3,
  format = 'gif' as 'gif' | 'webp',
} = {}) {
  const drawn = await Promise.all(
    Array.from({ length: frames }, (_, index) =>
      sharp({
        create: {
          width,
          height,
          channels: 3,
          background: { r: (index * 60) % 256, g: index, b: count % 256 },
        },
      })
        .png()
        .toBuffer(),
    ),
  );
  count += 1;
  return sharp(drawn, { join: { animated: true } })
    .toFormat(format, { delay: drawn.map(() => 120), loop: 0 })
    .toBuffer();
}

/** A valid head of a PNG of this size, and a little data: what would fill a machine's memory. */
export function bomb(width: number, height: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 1;
  const data = deflateSync(Buffer.alloc(2_000_000));
  const parts = [chunk('IHDR', head), chunk('IDAT', data), chunk('IEND', Buffer.alloc(0))];
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts]);
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type), data]);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(data.length);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

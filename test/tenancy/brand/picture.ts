/** Pictures of any size, as small files. */
import { crc32, deflateSync } from 'node:zlib'

/** A grey PNG. @param padding bytes of a further chunk */
export function png(width: number, height: number, padding = 0): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header.set([8, 0, 0, 0, 0], 8) // one byte for each pixel
  const rows = Buffer.alloc((width + 1) * height, 128)
  for (let row = 0; row < height; row++) rows[row * (width + 1)] = 0 // no filter
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    ...(padding === 0 ? [] : [chunk('teSt', Buffer.alloc(padding))]),
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, sum])
}

/** The head of a WebP, in each of its three kinds: the pixels are missing. */
export function webp(kind: 'VP8 ' | 'VP8L' | 'VP8X', width: number, height: number): Buffer {
  const content = Buffer.alloc(40)
  content.write('RIFF', 0, 'latin1')
  content.writeUInt32LE(32, 4)
  content.write(`WEBP${kind}`, 8, 'latin1')
  content.writeUInt32LE(20, 16)
  if (kind === 'VP8X') {
    content.writeUIntLE(width - 1, 24, 3)
    content.writeUIntLE(height - 1, 27, 3)
  } else if (kind === 'VP8L') {
    content[20] = 0x2f
    content.writeUInt32LE((width - 1) | ((height - 1) << 14), 21)
  } else {
    content.set([0x9d, 0x01, 0x2a], 23)
    content.writeUInt16LE(width, 26)
    content.writeUInt16LE(height, 28)
  }
  return content
}

export function svg(attributes = 'viewBox="0 0 8 8"', inside = '<path d="M0 0h8v8z"/>'): Buffer {
  return Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inside}</svg>`)
}

/** Reads QR codes in pictures and on pages. */
import { inflateSync } from 'node:zlib'
import type { Locator } from 'playwright-core'
import decode, { type Image } from 'qr/decode.js'

/** @param image pixels of four bytes @throws Error without a code that can be read */
export function readQrCode(image: Image): string {
  return decode(image, { format: 'RGBA', timeLimit: 60_000 })
}

/** What the camera of a phone reads from the element. */
export async function scan(element: Locator): Promise<string> {
  return readQrCode(pixelsOf(await element.screenshot()))
}

const signatureBytes = 8

/** @param png as Chromium writes it: 8 bits for each colour, not interlaced @returns pixels of four bytes */
function pixelsOf(png: Buffer): Image {
  const chunks = [...chunksOf(png)]
  const header = Buffer.concat(chunks.filter(({ type }) => type === 'IHDR').map(({ content }) => content))
  const parts = chunks.filter(({ type }) => type === 'IDAT').map(({ content }) => content)
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)]
  const channels = header.readUInt8(9) === 6 ? 4 : 3
  const rows = unfiltered(inflateSync(Buffer.concat(parts)), { width, height, channels })
  const data = new Uint8Array(width * height * 4).fill(255)
  for (const [y, row] of rows.entries())
    for (let x = 0; x < width; x++)
      data.set(row.subarray(x * channels, (x + 1) * channels), (y * width + x) * 4)
  return { width, height, data }
}

function* chunksOf(png: Buffer): Generator<{ type: string; content: Buffer }> {
  for (let start = signatureBytes; start < png.length; ) {
    const length = png.readUInt32BE(start)
    yield {
      type: png.toString('latin1', start + 4, start + 8),
      content: png.subarray(start + 8, start + 8 + length),
    }
    start += length + 12
  }
}

/** Each row begins with the number of its filter: how its bytes follow from those on the left and above (PNG, 9.2). */
function unfiltered(
  filtered: Buffer,
  { width, height, channels }: { width: number; height: number; channels: number },
): Buffer[] {
  const bytes = width * channels
  // A pixel on the left and a row above, both of zeros.
  const stride = channels + bytes
  const rows = Buffer.alloc(stride * (height + 1))
  for (let y = 0; y < height; y++) {
    const filter = filtered.readUInt8(y * (bytes + 1))
    for (let x = 0; x < bytes; x++) {
      const place = (y + 1) * stride + channels + x
      const [left, above] = [rows.readUInt8(place - channels), rows.readUInt8(place - stride)]
      const aboveLeft = rows.readUInt8(place - stride - channels)
      const predicted = [0, left, above, Math.floor((left + above) / 2), paeth(left, above, aboveLeft)]
      rows[place] = filtered.readUInt8(y * (bytes + 1) + 1 + x) + (predicted[filter] ?? 0)
    }
  }
  return Array.from({ length: height }, (_, y) =>
    rows.subarray((y + 1) * stride + channels, (y + 2) * stride),
  )
}

/** The neighbour that is nearest to what the three of them suggest. */
function paeth(left: number, above: number, aboveLeft: number): number {
  const distanceTo = (neighbour: number) => Math.abs(left + above - aboveLeft - neighbour)
  const isLeft = distanceTo(left) <= distanceTo(above) && distanceTo(left) <= distanceTo(aboveLeft)
  if (isLeft) return left
  return distanceTo(above) <= distanceTo(aboveLeft) ? above : aboveLeft
}

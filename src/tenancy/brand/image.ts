/** Finds the type and the size of a logo by its bytes: its name and its `Content-Type` are not trusted. */
import { refusal, type ServiceError } from '../../core/errors.ts'

export const imageTypes = ['image/png', 'image/webp', 'image/svg+xml'] as const

export const maxLogoBytes = 200_000
/** The largest width, and the largest height. */
export const maxLogoPixels = 512

export interface Image {
  type: (typeof imageTypes)[number]
  /** In pixels; `null` for an SVG that does not state its width. */
  width: number | null
  height: number | null
}

/** @throws ServiceError `invalid` for other content, and for a picture that is broken or too large */
export async function readImage(bytes: Uint8Array): Promise<Image> {
  const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const image = readPng(content) ?? readWebp(content) ?? (await readSvg(content))
  if (image === null) throw refusal('logoType')
  const { width, height } = image
  if (Math.max(width ?? 1, height ?? 1) > maxLogoPixels)
    throw refusal('logoTooLarge', { limit: maxLogoPixels })
  if (width === 0 || height === 0) throw broken('has no size')
  return image
}

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])

/** PNG (ISO/IEC 15948), sections 5.2, 5.3 and 11.2.2: the chunks from the header to the end. */
function readPng(content: Buffer): Image | null {
  if (!content.subarray(0, 8).equals(pngSignature)) return null
  if (content.toString('latin1', 12, 16) !== 'IHDR' || content.length < 33) throw broken('has no header')
  // A chunk is its length, its type, its data and a checksum: 12 bytes beside the data.
  for (let offset = 8; content.toString('latin1', offset + 4, offset + 8) !== 'IEND'; ) {
    if (offset + 12 > content.length) throw broken('ends too early')
    offset += 12 + content.readUInt32BE(offset)
  }
  return { type: 'image/png', width: content.readUInt32BE(16), height: content.readUInt32BE(20) }
}

/** WebP: the container and its first chunk, which has the size (RFC 9649, sections 2.4 to 2.7). */
function readWebp(content: Buffer): Image | null {
  const isWebp = content.toString('latin1', 0, 4) === 'RIFF' && content.toString('latin1', 8, 12) === 'WEBP'
  if (!isWebp) return null
  if (content.length < 30 || content.readUInt32LE(4) + 8 > content.length) throw broken('ends too early')
  return { type: 'image/webp', ...sizeOfWebp(content) }
}

function sizeOfWebp(content: Buffer): { width: number; height: number } {
  switch (content.toString('latin1', 12, 16)) {
    case 'VP8X':
      return { width: content.readUIntLE(24, 3) + 1, height: content.readUIntLE(27, 3) + 1 }
    case 'VP8L': {
      const bits = content.readUInt32LE(21)
      return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
    }
    case 'VP8 ':
      return { width: content.readUInt16LE(26) & 0x3fff, height: content.readUInt16LE(28) & 0x3fff }
    default:
      throw broken('has no picture')
  }
}

/**
 * SVG: well-formed XML with the root element `svg`. Scripts are not looked for, because the headers of the reply keep
 * browsers from running any.
 */
async function readSvg(content: Buffer): Promise<Image | null> {
  const text = textOf(content)
  if (text === null || !/^\s*</.test(text)) return null
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: true })
  const found: { local: string; uri: string; width: string | null; height: string | null }[] = []
  parser.on('error', (cause) => {
    throw broken('is no well-formed XML', cause)
  })
  parser.on('doctype', (doctype) => {
    if (doctype.includes('[')) throw broken('declares entities')
  })
  parser.on('opentag', ({ local, uri, attributes: { width, height } }) => {
    if (found.length === 0)
      found.push({ local, uri, width: width?.value ?? null, height: height?.value ?? null })
  })
  parser.write(text).close()
  const [root] = found
  if (root?.local !== 'svg' || root.uri !== 'http://www.w3.org/2000/svg') return null
  return { type: 'image/svg+xml', width: pixelsOf(root.width), height: pixelsOf(root.height) }
}

function textOf(content: Buffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(content)
  } catch {
    return null // bytes that are no text
  }
}

/** @returns `null` for a size that is relative to the page */
function pixelsOf(length: string | null): number | null {
  if (length === null || /^(auto|[\d.]+%)$/.test(length.trim())) return null
  const [, number] = /^([\d.]+)(px)?$/.exec(length.trim()) ?? []
  if (number === undefined || Number.isNaN(Number(number))) throw broken('must have its size in pixels')
  return Math.ceil(Number(number))
}

function broken(text: string, cause?: unknown): ServiceError {
  return refusal('logoBroken', { fault: text }, { cause })
}

/** Contents of files for tests: small, and valid for their types. */
import { deflateRawSync } from 'node:zlib'

export const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

/** The beginnings of videos, by their types. */
export const videos = {
  'video/mp4': Buffer.from('\0\0\0\x18ftypisom\0\0\x02\0isomiso2', 'latin1'),
  'video/quicktime': Buffer.from('\0\0\0\x14ftypqt  \0\0\x02\0qt  ', 'latin1'),
  'video/webm': Buffer.from([0x1a, 0x45, 0xdf, 0xa3, 0x9f, 0x42, 0x86, 0x81, 1]),
}

/** @param text makes contents differ */
export function pdf(text = 'empty'): Buffer {
  return Buffer.from(`%PDF-1.4\n% ${text}\n%%EOF\n`)
}

/** A ZIP archive with empty entries of these names. */
export function zip(...names: string[]): Buffer {
  const empty = deflateRawSync(Buffer.alloc(0))
  const locals: Buffer[] = []
  const entries: Buffer[] = []
  let offset = 0
  for (const name of names.map((each) => Buffer.from(each))) {
    const local = Buffer.alloc(30)
    local.write('PK\x03\x04', 'latin1')
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(empty.length, 18)
    local.writeUInt16LE(name.length, 26)
    const entry = Buffer.alloc(46)
    entry.write('PK\x01\x02', 'latin1')
    entry.writeUInt16LE(8, 10)
    entry.writeUInt32LE(empty.length, 20)
    entry.writeUInt16LE(name.length, 28)
    entry.writeUInt32LE(offset, 42)
    locals.push(local, name, empty)
    entries.push(entry, name)
    offset += local.length + name.length + empty.length
  }
  const directory = Buffer.concat(entries)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(names.length, 8)
  end.writeUInt16LE(names.length, 10)
  end.writeUInt32LE(directory.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, directory, end])
}

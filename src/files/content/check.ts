/** Compares the content of a file with its media type while the content arrives. */
import type { FileHandle } from 'node:fs/promises'

export interface ContentCheck {
  /** @returns false as soon as the content cannot be of the type */
  take(chunk: Uint8Array): boolean
  /** Tells after the last chunk whether the content is of the type. @param file the whole content, open for reading */
  finish(file: FileHandle, size: number): Promise<boolean>
}

interface Prefix {
  bytes: Buffer
  /** Further bytes that must be at this place. */
  and?: { at: number; bytes: Buffer }
}

/** Accepts content that begins with one of the prefixes. */
export class PrefixCheck implements ContentCheck {
  readonly #prefixes: readonly Prefix[]
  readonly #length: number
  #head: Buffer = Buffer.alloc(0)

  constructor(prefixes: readonly Prefix[]) {
    this.#prefixes = prefixes
    this.#length = Math.max(
      ...prefixes.map(({ bytes, and }) => (and ? and.at + and.bytes.length : bytes.length)),
    )
  }

  take(chunk: Uint8Array): boolean {
    if (this.#head.length >= this.#length) return true
    this.#head = Buffer.concat([this.#head, chunk.subarray(0, this.#length - this.#head.length)])
    return this.#head.length < this.#length || this.#isMatched()
  }

  async finish(): Promise<boolean> {
    return this.#isMatched()
  }

  #isMatched(): boolean {
    const has = (bytes: Buffer, at: number) => this.#head.subarray(at, at + bytes.length).equals(bytes)
    return this.#prefixes.some(
      ({ bytes, and }) => has(bytes, 0) && (and === undefined || has(and.bytes, and.at)),
    )
  }
}

/** Accepts text in UTF-8 without NUL. */
export class TextCheck implements ContentCheck {
  readonly #decoder = new TextDecoder('utf-8', { fatal: true })

  take(chunk: Uint8Array): boolean {
    return !chunk.includes(0) && this.#decode(chunk)
  }

  async finish(): Promise<boolean> {
    return this.#decode(null)
  }

  #decode(chunk: Uint8Array | null): boolean {
    try {
      if (chunk === null) this.#decoder.decode()
      else this.#decoder.decode(chunk, { stream: true })
      return true
    } catch (error) {
      if (error instanceof TypeError) return false // what the decoder throws for invalid UTF-8
      throw error
    }
  }
}

/** Accepts a ZIP archive, also an empty one. */
export class ZipCheck extends PrefixCheck {
  constructor() {
    super([{ bytes: Buffer.from('PK\x03\x04', 'latin1') }, { bytes: Buffer.from('PK\x05\x06', 'latin1') }])
  }
}

const endSignature = Buffer.from('PK\x05\x06', 'latin1')
const endLength = 22
const maxCommentLength = 65_535
/** The directory of an office document is far smaller. */
const maxDirectoryBytes = 4 * 1024 * 1024
const contentTypes = '[Content_Types].xml'

/** Accepts a ZIP archive with the parts of an office document (ECMA-376, part 2). */
export class OfficeCheck extends ZipCheck {
  readonly #folder: string

  /** @param folder the folder in the archive with the parts, with its slash */
  constructor(folder: string) {
    super()
    this.#folder = folder
  }

  override async finish(file?: FileHandle, size = 0): Promise<boolean> {
    if (file === undefined || !(await super.finish())) return false
    const names = entryNames(await readDirectory(file, size))
    return names.includes(contentTypes) && names.some((name) => name.startsWith(this.#folder))
  }
}

/** @returns the central directory of a ZIP archive (APPNOTE 6.3, section 4.3); empty if the archive has none */
async function readDirectory(file: FileHandle, size: number): Promise<Buffer> {
  const tail = await readBytes(file, Math.max(0, size - endLength - maxCommentLength), size)
  const at = tail.lastIndexOf(endSignature)
  if (at < 0 || tail.length - at < endLength) return Buffer.alloc(0)
  const length = tail.readUInt32LE(at + 12)
  const start = tail.readUInt32LE(at + 16)
  if (length > maxDirectoryBytes || start + length > size) return Buffer.alloc(0)
  return readBytes(file, start, start + length)
}

async function readBytes(file: FileHandle, start: number, end: number): Promise<Buffer> {
  const buffer = Buffer.alloc(end - start)
  const { bytesRead } = await file.read(buffer, 0, buffer.length, start)
  return buffer.subarray(0, bytesRead)
}

const entrySignature = 0x02014b50
const entryLength = 46

function entryNames(directory: Buffer): string[] {
  const names: string[] = []
  for (let at = 0; at + entryLength <= directory.length; ) {
    if (directory.readUInt32LE(at) !== entrySignature) break
    const nameLength = directory.readUInt16LE(at + 28)
    const furtherLength = directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
    const begin = at + entryLength
    names.push(directory.toString('utf8', begin, begin + nameLength))
    at = begin + nameLength + furtherLength
  }
  return names
}

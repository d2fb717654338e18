/** Reads the first file of a form (RFC 7578, `multipart/form-data`) while the form arrives. */
import { refusal } from '../../core/errors.ts'
import { fileNameOf } from './disposition.ts'

export interface FilePart {
  /** The name as the client has written it; empty if there is none. */
  name: string
  type: string
  content: AsyncIterable<Uint8Array>
}

const maxHeaderBytes = 8 * 1024
/** The most fields before the file. */
const maxFields = 20
const maxFieldBytes = 64 * 1024
const lineEnd = Buffer.from('\r\n')
const headersEnd = Buffer.from('\r\n\r\n')

/** @throws ServiceError `invalid` for a form without a file, or one that is not valid */
export async function readFilePart(source: AsyncIterable<Uint8Array>, boundary: string): Promise<FilePart> {
  const reader = new FormReader(source, boundary)
  await reader.skip()
  for (let fields = 0; fields <= maxFields; fields++) {
    const headers = await reader.headers()
    if (headers === null) break
    const name = fileNameOf(headers.get('content-disposition') ?? '')
    // Browsers send an input without a file as an empty file without a name.
    if (name !== null && !(name === '' && (await reader.isAtEnd()))) {
      const type = (headers.get('content-type') ?? 'text/plain').split(';')[0] ?? ''
      return { name, type: type.trim(), content: reader.content() }
    }
    await reader.skip()
  }
  throw refusal('formWithoutFile')
}

class FormReader {
  readonly #source: AsyncIterator<Uint8Array>
  readonly #delimiter: Buffer
  /** Bytes not read yet. They begin with a line end, which the first delimiter lacks in the form. */
  #pending: Buffer = lineEnd

  constructor(source: AsyncIterable<Uint8Array>, boundary: string) {
    this.#source = source[Symbol.asyncIterator]()
    this.#delimiter = Buffer.from(`\r\n--${boundary}`)
  }

  /** Discards everything up to the next delimiter. */
  async skip(): Promise<void> {
    let bytes = 0
    for await (const chunk of this.#upToDelimiter()) {
      bytes += chunk.length
      if (bytes > maxFieldBytes) throw refusal('formFieldTooLong')
    }
  }

  /** @returns the headers of the part, with names in lower case; `null` after the last part */
  async headers(): Promise<Map<string, string> | null> {
    while (this.#pending.length < 2) await this.#readMore()
    if (this.#pending.toString('latin1', 0, 2) === '--') return null
    let end = this.#pending.indexOf(headersEnd)
    while (end < 0) {
      if (this.#pending.length > maxHeaderBytes) throw refusal('formHeadersTooLong')
      await this.#readMore()
      end = this.#pending.indexOf(headersEnd)
    }
    const lines = this.#pending.toString('utf8', 0, end).split('\r\n')
    this.#pending = this.#pending.subarray(end + headersEnd.length)
    const pairs = lines.flatMap((line) => {
      const [, name, value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? []
      return name === undefined ? [] : [[name.toLowerCase(), value] as const]
    })
    return new Map(pairs)
  }

  /** Tells whether the part has no further content. */
  async isAtEnd(): Promise<boolean> {
    while (this.#pending.length < this.#delimiter.length) await this.#readMore()
    return this.#pending.subarray(0, this.#delimiter.length).equals(this.#delimiter)
  }

  /** Reads the bytes of the part. Afterwards the source is closed. */
  async *content(): AsyncGenerator<Uint8Array> {
    try {
      yield* this.#upToDelimiter()
    } finally {
      await this.#source.return?.()
    }
  }

  async *#upToDelimiter(): AsyncGenerator<Uint8Array> {
    const keptLength = this.#delimiter.length - 1 // these bytes may begin a delimiter
    for (;;) {
      const at = this.#pending.indexOf(this.#delimiter)
      if (at >= 0) {
        const chunk = this.#pending.subarray(0, at)
        this.#pending = this.#pending.subarray(at + this.#delimiter.length)
        if (chunk.length > 0) yield chunk
        return
      }
      const safeLength = this.#pending.length - keptLength
      if (safeLength > 0) {
        yield this.#pending.subarray(0, safeLength)
        this.#pending = this.#pending.subarray(safeLength)
      }
      await this.#readMore()
    }
  }

  async #readMore(): Promise<void> {
    const { done, value } = await this.#source.next()
    if (done === true) throw refusal('formIncomplete')
    this.#pending = this.#pending.length === 0 ? Buffer.from(value) : Buffer.concat([this.#pending, value])
  }
}

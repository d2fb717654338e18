/** Reads replies of HTTP/1.1 from a connection as cheaply as possible: bodies are counted, and kept only if wanted. */
export interface Reply {
  status: number
  /** Empty unless bodies are kept. */
  body: string
}

const headEnd = '\r\n\r\n'
const lineEnd = '\r\n'
const nothing: Buffer = Buffer.alloc(0)

type Awaited = 'head' | 'body' | 'chunkSize' | 'chunk'

export class ReplyReader {
  readonly #answered: (reply: Reply) => void
  readonly #keepsBodies: boolean
  #awaited: Awaited = 'head'
  /** What has come of a head or of the size of a chunk. */
  #rest: Buffer = nothing
  #missing = 0
  #status = 0
  #body: Buffer[] = []

  constructor(answered: (reply: Reply) => void, keepsBodies = false) {
    this.#answered = answered
    this.#keepsBodies = keepsBodies
  }

  /** A reply has begun and has not ended. */
  get isAmidReply(): boolean {
    return this.#awaited !== 'head' || this.#rest.length > 0
  }

  /** @param bodiless replies to HEAD: their heads tell of bodies that do not come */
  push(received: Buffer, bodiless = false): void {
    let bytes: Buffer = this.#rest.length === 0 ? received : Buffer.concat([this.#rest, received])
    this.#rest = nothing
    while (bytes.length > 0) {
      const used = this.#take(bytes, bodiless)
      if (used === 0) {
        this.#rest = bytes
        return
      }
      bytes = bytes.subarray(used)
    }
  }

  /** @returns how many of the bytes were used; 0 when more have to come */
  #take(bytes: Buffer, bodiless: boolean): number {
    if (this.#awaited === 'head') return this.#takeHead(bytes, bodiless)
    if (this.#awaited === 'chunkSize') return this.#takeChunkSize(bytes)
    const used = Math.min(this.#missing, bytes.length)
    if (this.#keepsBodies) this.#body.push(Buffer.from(bytes.subarray(0, used)))
    this.#missing -= used
    if (this.#missing === 0) {
      if (this.#awaited === 'chunk') this.#awaited = 'chunkSize'
      else this.#end()
    }
    return used
  }

  #takeHead(bytes: Buffer, bodiless: boolean): number {
    const end = bytes.indexOf(headEnd)
    if (end < 0) return 0
    const head = bytes.toString('latin1', 0, end)
    this.#status = Number(head.slice(9, 12))
    this.#missing = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    const chunked = /^transfer-encoding: *chunked/im.test(head)
    if (bodiless || (!chunked && this.#missing === 0) || this.#status === 304) this.#end()
    else this.#awaited = chunked ? 'chunkSize' : 'body'
    return end + headEnd.length
  }

  #takeChunkSize(bytes: Buffer): number {
    const end = bytes.indexOf(lineEnd)
    if (end < 0) return 0
    const size = Number.parseInt(bytes.toString('latin1', 0, end), 16)
    if (size > 0) {
      this.#missing = size + lineEnd.length
      this.#awaited = 'chunk'
      return end + lineEnd.length
    }
    if (bytes.length < end + headEnd.length) return 0
    this.#end()
    return end + headEnd.length
  }

  #end(): void {
    this.#awaited = 'head'
    this.#missing = 0
    const body = this.#keepsBodies ? Buffer.concat(this.#body).toString() : ''
    this.#body = []
    this.#answered({ status: this.#status, body })
  }
}

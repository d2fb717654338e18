/**
 * Writes the messages of PostgreSQL's extended protocol one after the other, so that a request is one buffer and one
 * write to the socket. `pg` makes a buffer for each message, and measures each text before it writes it.
 */

/** Bytes are sent as they are; `null` is NULL. */
export type WireValue = Buffer | string | null

/** The size of a buffer, into which requests are written one after the other. */
const bufferBytes = 64 * 1024
/**
 * A longer text is measured before it is written. For others it is quicker to reserve the most that UTF-8 takes: three
 * bytes for each UTF-16 unit.
 */
const maxUnmeasured = 4096

// The messages and their codes are those of PostgreSQL's manual, "Message Formats".
const parseCode = 0x50
const bindCode = 0x42
const describePortal = [0x44, 0, 0, 0, 6, 0x50, 0]
const executePortal = [0x45, 0, 0, 0, 9, 0, 0, 0, 0, 0]
const sync = [0x53, 0, 0, 0, 4]

export class MessageWriter {
  #buffer = Buffer.allocUnsafeSlow(bufferBytes)
  /** The offsets at which the request, and its current message, begin in the buffer. */
  #request = 0
  #message = 0
  #end = 0

  /** @param name empty for a statement that is not kept */
  parse(name: string, text: string): void {
    this.#begin(parseCode)
    this.#terminated(name)
    this.#terminated(text)
    this.#int16(0) // the server chooses the types of the values
    this.#close()
  }

  bind(name: string, values: readonly WireValue[]): void {
    this.#begin(bindCode)
    this.#terminated('')
    this.#terminated(name)
    this.#formats(values)
    this.#int16(values.length)
    for (const value of values) this.#value(value)
    this.#int16(0) // all columns are returned as text
    this.#close()
  }

  describe(): void {
    this.#bytes(describePortal)
  }

  execute(): void {
    this.#bytes(executePortal)
  }

  sync(): void {
    this.#bytes(sync)
  }

  /** @returns what was written since the last call */
  take(): Buffer {
    const written = this.#buffer.subarray(this.#request, this.#end)
    this.#request = this.#end
    if (this.#buffer.length > bufferBytes) this.#replace(bufferBytes) // a large request is not kept
    return written
  }

  #begin(code: number): void {
    this.#reserve(5)
    this.#message = this.#end
    this.#buffer[this.#end] = code
    this.#end += 5
  }

  /** The length of a message counts itself, but not the code before it. */
  #close(): void {
    this.#setInt32(this.#message + 1, this.#end - this.#message - 1)
  }

  /** Writes the formats of the values. No format is written if all values are text. */
  #formats(values: readonly WireValue[]): void {
    const areTexts = values.every((value) => !(value instanceof Buffer))
    this.#int16(areTexts ? 0 : values.length)
    if (!areTexts) for (const value of values) this.#int16(value instanceof Buffer ? 1 : 0)
  }

  #value(value: WireValue): void {
    this.#reserve(4 + maxBytesOf(value))
    const begin = this.#end + 4
    let length = -1
    if (typeof value === 'string') length = this.#buffer.write(value, begin)
    else if (value !== null) length = value.copy(this.#buffer, begin)
    this.#setInt32(this.#end, length)
    this.#end = begin + Math.max(length, 0)
  }

  #terminated(text: string): void {
    this.#reserve(maxBytesOf(text) + 1)
    this.#end += this.#buffer.write(text, this.#end)
    this.#buffer[this.#end++] = 0
  }

  #int16(value: number): void {
    this.#reserve(2)
    this.#buffer[this.#end++] = value >>> 8
    this.#buffer[this.#end++] = value
  }

  /** Each byte takes the lowest bits. `writeInt32BE` checks bounds and type first. */
  #setInt32(offset: number, value: number): void {
    this.#buffer[offset] = value >>> 24
    this.#buffer[offset + 1] = value >>> 16
    this.#buffer[offset + 2] = value >>> 8
    this.#buffer[offset + 3] = value
  }

  #bytes(bytes: readonly number[]): void {
    this.#reserve(bytes.length)
    for (const byte of bytes) this.#buffer[this.#end++] = byte
  }

  #reserve(bytes: number): void {
    const needed = this.#end - this.#request + bytes
    if (this.#end + bytes > this.#buffer.length) this.#replace(Math.max(bufferBytes, 2 * needed))
  }

  /** Takes another buffer, with what was written of the request. */
  #replace(bytes: number): void {
    const written = this.#buffer.subarray(this.#request, this.#end)
    this.#buffer = Buffer.allocUnsafeSlow(bytes)
    this.#message -= this.#request
    this.#request = 0
    this.#end = written.copy(this.#buffer)
  }
}

function maxBytesOf(value: WireValue): number {
  if (typeof value === 'string')
    return value.length > maxUnmeasured ? Buffer.byteLength(value) : 3 * value.length
  return value?.length ?? 0
}

/**
 * Reads and syncs the file of SQLite's write-ahead log (https://www.sqlite.org/fileformat2.html#walformat). The other
 * files of a database must not be opened like this: closing them would release SQLite's locks on them.
 */
import { closeSync, fdatasync, fstatSync, openSync, readSync } from 'node:fs'

const headerBytes = 32
const frameHeaderBytes = 24
// The offsets of the page size and of the salt in the header, and of the salt in the header of a frame.
const pageSizeOffset = 8
const saltOffset = 16
const frameSaltOffset = 8
const saltBytes = 8

export class WalFile {
  readonly descriptor: number
  readonly #header = Buffer.alloc(headerBytes)
  readonly #frameSalt = Buffer.alloc(saltBytes)

  /** @param path of the open database, whose log exists */
  constructor(path: string) {
    this.descriptor = openSync(`${path}-wal`, 'r+')
  }

  /** For an empty log, SQLite writes and syncs the header with the next commit. */
  get isEmpty(): boolean {
    return fstatSync(this.descriptor).size === 0
  }

  /** @returns whether this many frames were written since the last restart: older frames have another salt */
  hasFrames(count: number): boolean {
    if (!this.#read(this.#header, 0)) return false
    const frameBytes = frameHeaderBytes + this.#header.readUInt32BE(pageSizeOffset)
    if (!this.#read(this.#frameSalt, headerBytes + (count - 1) * frameBytes + frameSaltOffset)) return false
    return this.#header.subarray(saltOffset, saltOffset + saltBytes).equals(this.#frameSalt)
  }

  /** Syncs in the thread pool, without blocking this thread. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.descriptor, (error) => (error === null ? resolve() : reject(error)))
    })
  }

  close(): void {
    closeSync(this.descriptor)
  }

  /** @returns false also when the disk fails, which SQLite then reports */
  #read(into: Buffer, offset: number): boolean {
    try {
      return readSync(this.descriptor, into, 0, into.length, offset) === into.length
    } catch {
      return false
    }
  }
}

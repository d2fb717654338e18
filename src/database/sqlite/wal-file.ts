/**
 * The write-ahead log of a SQLite file, as a file: https://www.sqlite.org/fileformat2.html#walformat
 * Other files of a database are never opened here: closing them would drop the locks that SQLite holds on them.
 */
import { closeSync, fdatasync, fstatSync, openSync, readSync } from 'node:fs'

const headerBytes = 32
const frameHeaderBytes = 24
const pageSizeAt = 8
const saltAt = 16
const frameSaltAt = 8
const saltBytes = 8

export class WalFile {
  readonly descriptor: number
  readonly #header = Buffer.alloc(headerBytes)
  readonly #frameSalt = Buffer.alloc(saltBytes)

  /** @param path of the database, which is open, so that its log exists */
  constructor(path: string) {
    this.descriptor = openSync(`${path}-wal`, 'r+')
  }

  /** SQLite writes the header of an empty log with the next commit, and syncs it at once. */
  get isEmpty(): boolean {
    return fstatSync(this.descriptor).size === 0
  }

  /** @returns whether so many frames were written since the log was last restarted, which leaves older ones behind */
  hasFrames(count: number): boolean {
    if (!this.#read(this.#header, 0)) return false
    const frameBytes = frameHeaderBytes + this.#header.readUInt32BE(pageSizeAt)
    if (!this.#read(this.#frameSalt, headerBytes + (count - 1) * frameBytes + frameSaltAt)) return false
    return this.#header.subarray(saltAt, saltAt + saltBytes).equals(this.#frameSalt)
  }

  /** By the thread pool: this thread goes on. */
  sync(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.descriptor, (error) => (error === null ? resolve() : reject(error)))
    })
  }

  close(): void {
    closeSync(this.descriptor)
  }

  /** @returns false also when the disk fails: whoever needs these bytes will be told by SQLite */
  #read(into: Buffer, at: number): boolean {
    try {
      return readSync(this.descriptor, into, 0, into.length, at) === into.length
    } catch {
      return false
    }
  }
}

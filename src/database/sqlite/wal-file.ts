/**
 * The write-ahead log of a SQLite file, as a file: https://www.sqlite.org/fileformat2.html#walformat
 * Other files of a database are not opened here: closing them would release SQLite's locks on them.
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

  /** @param path of the open database, whose log exists */
  constructor(path: string) {
    this.descriptor = openSync(`${path}-wal`, 'r+')
  }

  /** For an empty log, SQLite writes and syncs the header with the next commit. */
  get isEmpty(): boolean {
    return fstatSync(this.descriptor).size === 0
  }

  /** @returns whether this many frames were written since the last restart, which leaves older frames in the file */
  hasFrames(count: number): boolean {
    if (!this.#read(this.#header, 0)) return false
    const frameBytes = frameHeaderBytes + this.#header.readUInt32BE(pageSizeAt)
    if (!this.#read(this.#frameSalt, headerBytes + (count - 1) * frameBytes + frameSaltAt)) return false
    return this.#header.subarray(saltAt, saltAt + saltBytes).equals(this.#frameSalt)
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
  #read(into: Buffer, at: number): boolean {
    try {
      return readSync(this.descriptor, into, 0, into.length, at) === into.length
    } catch {
      return false
    }
  }
}

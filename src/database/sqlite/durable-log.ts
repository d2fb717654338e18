/** The write-ahead log of a file with one writer: syncs its commits, copies it into the file, and restarts it. */
import { DatabaseUnavailable } from '../executor.ts'
import { checkpointer } from './checkpointer.ts'
import { WalFile } from './wal-file.ts'

/** About 8 MiB, twice SQLite's default: each checkpoint empties the page caches of both connections. */
const framesPerCheckpoint = 2000

/** Wraps a commit of another connection of this process, which must not count as a foreign commit. */
export type AroundRestart = (
  restart: () => Promise<unknown>,
  version: () => Promise<unknown>,
) => Promise<void>

export class DurableLog {
  readonly #path: string
  readonly #file: WalFile
  readonly #aroundRestart: AroundRestart
  #maxFrames = framesPerCheckpoint
  #copying: Promise<void> | null = null
  #isCopied = false
  #isWritten: boolean

  constructor(path: string, aroundRestart: AroundRestart) {
    this.#path = path
    this.#file = new WalFile(path)
    this.#isWritten = !this.#file.isEmpty // by migrations, or before a crash
    this.#aroundRestart = aroundRestart
  }

  /** Whether the next commit should wait for `restart`: SQLite would sync the header of the log inside the commit. */
  get needsRestart(): boolean {
    return this.#isCopied || this.#file.isEmpty
  }

  /**
   * Called without a writer. If it fails, or a reader of an older state keeps the log, the log grows until the next
   * checkpoint, without loss.
   */
  async restart(): Promise<void> {
    this.#isCopied = false
    this.#isWritten = true
    const run = (task: 'restart' | 'version') => checkpointer.run(task, this.#path)
    try {
      await this.#aroundRestart(
        () => run('restart'),
        () => run('version'),
      )
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) throw error
    }
    void this.#release()
    this.#maxFrames = this.#file.hasFrames(framesPerCheckpoint)
      ? this.#maxFrames + framesPerCheckpoint
      : framesPerCheckpoint
  }

  /**
   * @param copied called when the log was copied into the file and should be restarted
   * @throws DatabaseUnavailable; then the commits may or may not be on the disk
   */
  async sync(copied: () => void): Promise<void> {
    this.#isWritten = true
    const synced = this.#file.sync()
    if (this.#copying === null && this.#file.hasFrames(this.#maxFrames)) {
      this.#copying = this.#copy().then(copied)
    }
    try {
      await synced
    } catch (error) {
      throw new DatabaseUnavailable('A commit could not be synced to the disk.', error)
    }
  }

  /** Rewrites the log after a failed sync: a second sync would succeed without writing what the first one did not. */
  async rewrite(): Promise<void> {
    try {
      await checkpointer.run('rewrite', this.#path, this.#file.descriptor)
    } finally {
      void this.#release()
    }
  }

  /**
   * Leaves no work for the last connection, which would sync the file on this thread when it closes, and no connection of
   * the other thread, which would remove the log of whatever file is at the path by then.
   */
  async close(): Promise<void> {
    await this.#copying
    if (this.#isWritten) await this.#copy()
    await this.#release()
    this.#file.close()
  }

  async #copy(): Promise<void> {
    await checkpointer.run('copy', this.#path).catch(() => undefined) // the next copy includes the rest
    this.#copying = null
    this.#isCopied = true
  }

  async #release(): Promise<void> {
    await checkpointer.run('release', this.#path).catch(() => undefined) // its connection has ended with the thread
  }
}

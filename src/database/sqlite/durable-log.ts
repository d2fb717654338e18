/**
 * The write-ahead log of a SQLite file, for a service that syncs it itself off the main thread: syncs commits,
 * copies the log into the file when it has grown (a checkpoint), and restarts it.
 */
import { DatabaseUnavailable } from '../executor.ts'
import { checkpointer } from './checkpointer.ts'
import { WalFile } from './wal-file.ts'

/**
 * A log of about 8 MiB, twice SQLite's default, because each checkpoint empties the page caches of both connections.
 */
const framesPerCheckpoint = 2000

/**
 * Runs the restart of the log, in which the checkpoint thread commits on a connection of its own. That commit must
 * not be taken for one of another process.
 * @param version reads a number that changes with the commits of other connections
 */
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
   * Restarts the log; no transaction may be in progress. If this fails, or a reader of an older state still needs
   * the log, the log grows until the next checkpoint, and nothing is lost.
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
   * Copies what the log has into the file, because the last connection would do so on this thread when it closes. Then
   * closes the connection of the checkpoint thread, which later might find another file at the path.
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

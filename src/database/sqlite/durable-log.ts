/** When the commits of the one writer of a file are on the disk, and when its log begins again from the front. */
import { DatabaseUnavailable } from '../executor.ts'
import { checkpointer } from './checkpointer.ts'
import { WalFile } from './wal-file.ts'

/** About 8 MiB. SQLite itself takes half; each checkpoint here costs both connections the pages they hold. */
const framesPerCheckpoint = 2000

/** What has to be known of a commit that is made for us by another connection. */
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

  /** Whether the next commit had better wait for `restart`: SQLite would sync the header of the log inside it. */
  get needsRestart(): boolean {
    return this.#isCopied || this.#file.isEmpty
  }

  /**
   * While nobody writes. When it fails, or a reader of an older state keeps the log, the log goes on and grows until
   * the next checkpoint: nothing is lost by that.
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
    this.#release()
    this.#maxFrames = this.#file.hasFrames(framesPerCheckpoint)
      ? this.#maxFrames + framesPerCheckpoint
      : framesPerCheckpoint
  }

  /**
   * @param copied called when the log was copied into the file, and should be restarted
   * @throws DatabaseUnavailable: what was committed may be on the disk or not
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
      throw new DatabaseUnavailable('A commit could not be brought to the disk.', error)
    }
  }

  /** After a sync that failed: a second one would succeed without having written what the first one has not. */
  async rewrite(): Promise<void> {
    try {
      await checkpointer.run('rewrite', this.#path, this.#file.descriptor)
    } finally {
      this.#release()
    }
  }

  /** Leaves nothing to do for the connection that is closed last: it would sync the file on this thread. */
  async close(): Promise<void> {
    await this.#copying
    if (this.#isWritten) await this.#copy()
    this.#release()
    this.#file.close()
  }

  async #copy(): Promise<void> {
    await checkpointer.run('copy', this.#path).catch(() => undefined) // what is left is copied the next time
    this.#copying = null
    this.#isCopied = true
  }

  #release(): void {
    checkpointer.run('release', this.#path).catch(() => undefined) // it has ended with the thread
  }
}

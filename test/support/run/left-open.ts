/** Ends a process that something keeps alive after its last test file, and says which files have left that open. */
import { writeSync } from 'node:fs'

/** Exit code of a process that something kept alive. */
export const leftOpenCode = 70

export class LeftOpen {
  /** How many of each kind were open after each file: `TCPServerWrap`, `ProcessWrap`, `Timeout`, … */
  readonly #after: { file: string; open: Map<string, number> }[] = [{ file: '', open: openNow() }]

  /** To be called when the tests of the file have ended. */
  note(file: string): void {
    this.#after.push({ file, open: openNow() })
  }

  /**
   * To be called after the last file. Does not keep the process alive itself.
   * @param waitMs for what closes by itself, such as connections that the other side is about to end
   */
  endSoon(waitMs: number): void {
    const timersWaitMs = 6 * waitMs // they run out, but for those that begin again
    const began = performance.now()
    const look = setInterval(() => {
      const passedMs = performance.now() - began
      if (passedMs < timersWaitMs && [...this.#tooMany()].every(([kind]) => kind === 'Timeout')) return
      clearInterval(look)
      writeSync(2, `${this.#report(passedMs)}\n`)
      process.exit(leftOpenCode)
    }, waitMs).unref()
  }

  /** The pipes to the process that reports are open from the beginning. */
  #tooMany(): [kind: string, count: number][] {
    return [...openNow()].filter(([kind, count]) => count > (this.#after[0]?.open.get(kind) ?? 0))
  }

  #report(passedMs: number): string {
    const lines = this.#tooMany().map(([kind, count]) => `  ${count} × ${kind}${this.#culprits(kind, count)}`)
    const seconds = Math.round(passedMs / 1000)
    const heading = `Something that is still open ${seconds} s after the last test keeps this process alive:`
    return [heading, ...lines].join('\n')
  }

  /** The files after which more stay open, whatever comes later. */
  #culprits(kind: string, atEnd: number): string {
    let kept = atEnd
    const files: string[] = []
    for (const [index, { file, open }] of [...this.#after.entries()].toReversed()) {
      const before = this.#after[index - 1]?.open.get(kind) ?? 0
      kept = Math.min(kept, open.get(kind) ?? 0)
      if (kept > before && file !== '') files.unshift(file)
    }
    return files.length === 0 ? '' : `, left by ${files.join(', ')}`
  }
}

function openNow(): Map<string, number> {
  const counts = new Map<string, number>()
  for (const kind of process.getActiveResourcesInfo()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return counts
}

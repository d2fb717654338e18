/** Ends a process that something keeps alive after its last test file, and says which files have left that open. */
import { writeSync } from 'node:fs'

/** For what closes by itself, such as connections that the other side is about to end. */
const waitMs = 10_000

export class LeftOpen {
  /** How many of each kind were open after each file: `TCPServerWrap`, `ProcessWrap`, `Timeout`, … */
  readonly #after: { file: string; open: Map<string, number> }[] = [{ file: '', open: openNow() }]

  /** To be called when the tests of the file have ended. */
  note(file: string): void {
    this.#after.push({ file, open: openNow() })
  }

  /** To be called after the last file. Does not keep the process alive itself. */
  endSoon(): void {
    setTimeout(() => {
      writeSync(2, `${this.#report()}\n`)
      process.exit(1)
    }, waitMs).unref()
  }

  #report(): string {
    const now = openNow()
    const lines = [...now].map(([kind, count]) => `  ${count} × ${kind}${this.#culprits(kind, count)}`)
    const heading = `Something that is still open ${waitMs / 1000} s after the last test keeps this process alive:`
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

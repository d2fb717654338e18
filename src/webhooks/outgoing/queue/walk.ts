import type { QueueData } from '../../../database/data.ts'
import { linesFrom } from './sql.ts'

const linesAtOnce = 500

/** Every line in which something waits, with the moment at which it is due, in milliseconds of Unix time. */
export async function allLines(queue: QueueData): Promise<Map<string, number>> {
  const found = new Map<string, number>()
  for (let after = ''; ; ) {
    const lines = await linesFrom(queue, after, linesAtOnce)
    for (const { line, dueAt } of lines) found.set(line, Date.parse(dueAt))
    const last = lines.at(-1)
    if (last === undefined || lines.length < linesAtOnce) return found
    after = last.line
  }
}

/** What a command reads and writes besides databases: that of the process, unless somebody gives it another. */
import type { Readable } from 'node:stream'
import type { OutputStream } from '../core/log/standard-output.ts'

export interface Surroundings {
  /** That of the process if absent. */
  readonly environment?: NodeJS.ProcessEnv
  /** The working folder. */
  readonly folder: string
  readonly input: Readable & { readonly isTTY?: boolean }
  readonly output: OutputStream
  /** Standard error. */
  readonly errors: OutputStream
}

export function surroundingsOfProcess(): Surroundings {
  return {
    folder: process.cwd(),
    // To look at standard input already opens it.
    get input() {
      return process.stdin
    },
    output: process.stdout,
    errors: process.stderr,
  }
}

export function streamsOf({ output, errors }: Surroundings): readonly OutputStream[] {
  return [output, errors]
}

/** What a command reads and writes besides databases: usually that of the process; tests pass their own. */
import type { Readable } from 'node:stream'
import type { OutputStream } from '../core/log/standard-output.ts'

export interface Surroundings {
  /** The environment variables; those of the process if absent. */
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
    // A getter, because reading `process.stdin` already opens standard input.
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

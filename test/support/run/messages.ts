/** What a run and its workers tell each other. */
import type { Times } from './times.ts'

/** Path of the next test file from the root of the project; `null` after the last. */
export interface NextFile {
  file: string | null
}

export type Report =
  | { kind: 'ready' }
  | { kind: 'passed' }
  | { kind: 'skipped'; name: string; reason: string }
  /** @property name of the test after the names of the suites around it, the first of which is the path of its file */
  | { kind: 'failed'; name: string[]; text: string }
  /** Of what the tests print with `TEST_VERBOSE`. */
  | { kind: 'output'; text: string }
  /** Everything that the file declares has run. */
  | { kind: 'ended'; times: Times }

export function tell(report: Report): void {
  process.send?.(report)
}

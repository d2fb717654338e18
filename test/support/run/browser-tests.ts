/** Tests that drive Chromium: one process runs all of them with one browser. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** What `test/run.ts` is called with to pass on a machine without Chromium. */
export const allowUntried = '--allow-untried'

export function isBrowserTest(file: string): boolean {
  return file.endsWith('.browser.test.ts')
}

/** Whether the tests that drive Chromium are for this worker: for the first that asks. */
export class BrowserTurn {
  readonly #folder: string
  #isOwn: boolean | null = null

  /** @param folder of the run */
  constructor(folder: string) {
    this.#folder = folder
  }

  get isOwn(): boolean {
    this.#isOwn ??= mkdirSync(join(this.#folder, 'browser'), { recursive: true }) !== undefined
    return this.#isOwn
  }
}

/** @param files names of tests that were not run for want of Chromium */
export function untriedNote(files: readonly string[], isAllowed: boolean): string {
  return [
    '\n== NOT TRIED, because there is no Chromium on this machine',
    ...files.map((file) => `  ${file}`),
    'CHROMIUM_PATH says where another one is.',
    isAllowed ? '' : `Without them the run has failed; ${allowUntried} lets it pass.\n`,
  ].join('\n')
}

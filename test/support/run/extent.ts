/** How much this run tries, and what it decides by its seed. `test/run.ts` sets both. */
import { currentFile } from './current-file.ts'

/** `npm run test:all`: both databases everywhere, all random cases, floods and faults. */
export const triesAll = process.env['TEST_EXTENT'] === 'all'

/** Of random cases, and of the database of suites that take either. The run prints it; `--seed` sets it. */
export const runSeed = Number(process.env['TEST_SEED'] ?? 1)

/** @returns `usual` in `npm test`, `all` in `npm run test:all` */
export function runsOf(usual: number, all: number): number {
  return triesAll ? all : usual
}

/** @returns 0 or 1: by turns for the files of a folder, and the other one with the next seed */
export function turnOfFile(): number {
  return (sumOf(currentFile()) + runSeed) % 2
}

function sumOf(text: string): number {
  let sum = 0
  for (let index = 0; index < text.length; index++) sum = (sum * 31 + text.charCodeAt(index)) % 65_521
  return sum
}

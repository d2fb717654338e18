/** The command `tenantry`: with the application of the working directory, if there is one. */
import { findConfig } from './application.ts'
import { copyOf } from './application-config.ts'
import { UsageError } from './command.ts'
import { isForApplication, reportFailures, runWords } from './command-line.ts'
import type { Surroundings } from './surroundings.ts'

/** @param words the arguments of the process @returns the exit code; errors are on standard error */
export function runTenantry(words: readonly string[], surroundings: Surroundings): Promise<number> {
  return reportFailures(surroundings, async () => {
    const { file, rest } = takeConfigOption(words)
    const found = isForApplication(rest) ? await findConfig(file, surroundings.folder) : null
    if (found === null) return runWords(rest, {}, surroundings)
    // Runs with the copy of the package that the features import: classes of another copy would differ.
    return found.config[copyOf].run(found.config, found.file, rest, surroundings)
  })
}

/** Takes `--config` out of the words. Programs of applications do not have this option: they pass their features. */
function takeConfigOption(words: readonly string[]): { file: string | null; rest: readonly string[] } {
  const place = words.findIndex((each) => /^--config(=|$)/.test(each))
  if (place < 0) return { file: null, rest: words }
  const [word = '', next = ''] = words.slice(place)
  const isJoined = word.includes('=')
  const file = isJoined ? word.slice('--config='.length) : next
  if (file === '' || file.startsWith('-')) throw new UsageError('--config takes a file.')
  const rest = [...words.slice(0, place), ...words.slice(place + (isJoined ? 1 : 2))]
  return { file, rest }
}

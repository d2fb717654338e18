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
    // The classes of another copy would not be those that the features use.
    return found.config[copyOf].run(found.config, found.file, rest, surroundings)
  })
}

/** Taken out here, because the programs of applications name their features themselves and do not know it. */
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

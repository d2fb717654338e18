/** Runs a command by its name and options, and returns an exit code. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { createLog, flushLog } from '../core/log/log.ts'
import { isOutputWritten, outputFailure, tolerateClosedOutput } from '../core/log/standard-output.ts'
import { type Config, loadConfig } from '../core/settings/config.ts'
import { version } from '../database/version.ts'
import type { ServiceOptions } from '../service/service-options.ts'
import {
  type Arguments,
  type Command,
  type LoneCommand,
  print,
  UnwrittenOutput,
  type Usage,
  UsageError,
} from './command.ts'
import { commands } from './commands.ts'
import { describeFailure, isUsageError } from './failure.ts'
import { help } from './help.ts'
import { type Surroundings, streamsOf, surroundingsOfProcess } from './surroundings.ts'

/** How long a stopped service waits until the last lines of its log are read. */
const maxOutputWaitMs = 1000

/**
 * Runs a command as `tenantry` does, with the features of an application.
 * @param words the arguments of the process @returns the exit code; errors are on standard error
 */
export function runCommandLine(words: readonly string[], options: ServiceOptions = {}): Promise<number> {
  return runReported(words, () => options, surroundingsOfProcess())
}

/** @param read what may fail before the command runs */
export function runReported(
  words: readonly string[],
  read: () => ServiceOptions,
  surroundings: Surroundings,
): Promise<number> {
  return reportFailures(surroundings, () => runWords(words, read(), surroundings))
}

/** @returns the exit code */
export async function reportFailures(
  surroundings: Surroundings,
  run: () => Promise<number>,
): Promise<number> {
  tolerateClosedOutput(streamsOf(surroundings))
  try {
    return await run()
  } catch (error) {
    print(surroundings.errors, `tenantry: ${describeFailure(error)}`)
    return isUsageError(error) ? 2 : 1
  }
}

/** Whether the features of an application make a difference. @throws UsageError without such a command */
export function isForApplication(words: readonly string[]): boolean {
  return requestedText(words) === null && 'load' in findCommand(words)[0]
}

/** @returns the exit code @throws Error for what goes wrong */
export async function runWords(
  words: readonly string[],
  options: ServiceOptions,
  surroundings: Surroundings,
): Promise<number> {
  const text = requestedText(words)
  if (text !== null) return show(text, surroundings)
  const [command, rest] = findCommand(words)
  const given = readArguments(command, rest)
  if ('loadAlone' in command) {
    const run = await command.loadAlone()
    return run(given, surroundings)
  }
  const { environment, folder, output } = surroundings
  const config = loadConfig(environment, folder, command.masterKey?.(given))
  const run = await command.load()
  if (command.isService !== true) await warnOfExposure(config, surroundings)
  const log = options.log ?? (await createLog(config, output))
  const code = await run(config, given, { ...options, log }, surroundings)
  if (command.isService === true) await flushOutput(code, surroundings)
  else await requireOutput(surroundings)
  return code
}

/** @returns the help or the version, if the words ask for it */
function requestedText(words: readonly string[]): string | null {
  if (words[0] === 'help') return help(words.slice(1))
  if (words.some((word) => word === '--help' || word === '-h')) return help(namesIn(words))
  return words.some((word) => word === '--version' || word === '-v') ? version : null
}

/** Writes warnings to standard error. A service logs them instead. */
async function warnOfExposure(config: Config, { errors }: Surroundings): Promise<void> {
  const { permissionWarnings } = await import('../database/private-file.ts')
  for (const text of permissionWarnings(config)) print(errors, `tenantry: ${text}`)
}

/** Fails for output that was lost, for example on a full disk. @throws UnwrittenOutput */
async function requireOutput(surroundings: Surroundings): Promise<void> {
  await nextTurn() // a stream reports an error after the write
  const failure = outputFailure(streamsOf(surroundings))
  if (failure !== null) throw new UnwrittenOutput(`Not all output was written: ${failure.message}.`)
}

/** Exits although output is pending, if nobody reads it: the process would otherwise wait. */
async function flushOutput(code: number, surroundings: Surroundings): Promise<void> {
  flushLog()
  if (!(await isOutputWritten(streamsOf(surroundings), maxOutputWaitMs))) process.exit(code)
}

/** @returns the command with the longest matching name; `serve` without a name */
function findCommand(words: readonly string[]): [Command | LoneCommand, readonly string[]] {
  const names = namesIn(words)
  for (let length = names.length; length > 0; length--) {
    const command = commands.get(names.slice(0, length).join(' '))
    if (command !== undefined) return [command, words.slice(length)]
  }
  const serve = commands.get('serve')
  if (names.length === 0 && serve !== undefined) return [serve, words]
  const related = [...commands.keys()].filter((name) => name.startsWith(`${names[0]} `))
  const hint = related.length > 0 ? `; there is ${related.join(', ')}` : ''
  throw new UsageError(`There is no command "${names.join(' ')}"${hint}.`)
}

/** The words before the first option. */
function namesIn(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => word.startsWith('-'))
  return end < 0 ? words : words.slice(0, end)
}

/** @throws UsageError, or what `parseArgs` throws */
function readArguments(command: Usage, words: readonly string[]): Arguments {
  const { argument, options = {}, lists = {}, flags = {}, required = [] } = command
  const named = (group: object, type: 'string' | 'boolean', multiple = false) =>
    Object.keys(group).map((name) => [name, { type, multiple }] as const)
  const { values, positionals } = parseArgs({
    args: [...words],
    options: Object.fromEntries([
      ...named(options, 'string'),
      ...named(lists, 'string', true),
      ...named(flags, 'boolean'),
    ]),
    allowPositionals: true,
  })
  const [first = '', ...more] = positionals
  if (argument !== undefined && first === '') throw new UsageError(`${argument} is missing.`)
  const unexpected = argument === undefined ? positionals : more
  if (unexpected.length > 0) throw new UsageError(`Too many arguments: ${unexpected.join(' ')}.`)
  const given = Object.entries(values)
  const texts = Object.fromEntries(
    given.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
  const missing = required.filter((name) => !texts[name]).map((name) => `--${name} is missing`)
  if (missing.length > 0) throw new UsageError(`${missing.join(', ')}.`)
  return {
    options: texts,
    lists: Object.fromEntries(
      given.flatMap(([name, value]) => (Array.isArray(value) ? [[name, value.map(String)]] : [])),
    ),
    flags: new Set(given.filter(([, value]) => value === true).map(([name]) => name)),
    argument: first,
  }
}

/** @returns the exit code 0 */
function show(text: string, { output }: Surroundings): number {
  print(output, text)
  return 0
}

/** The process: a command and its options → what it does → an exit code. */
import { parseArgs } from 'node:util'
import { type Arguments, type Command, UsageError } from './cli/command.ts'
import { commands } from './cli/commands.ts'
import { describeFailure, isWrongCall } from './cli/failure.ts'
import { help } from './cli/help.ts'
import { loadConfig } from './config.ts'
import { version } from './version.ts'

process.exitCode = await main(process.argv.slice(2))

async function main(words: string[]): Promise<number> {
  try {
    if (words[0] === 'help') return say(help(words.slice(1)))
    if (words.some((word) => word === '--help' || word === '-h')) return say(help(namesIn(words)))
    if (words.some((word) => word === '--version' || word === '-v')) return say(version)
    const [command, rest] = findCommand(words)
    const given = readArguments(command, rest)
    const config = loadConfig()
    return await (await command.load())(config, given)
  } catch (error) {
    process.stderr.write(`tenantry: ${describeFailure(error)}\n`)
    return isWrongCall(error) ? 2 : 1
  }
}

/** The longest name that the words begin with; no words at all mean `serve`. */
function findCommand(words: string[]): [Command, string[]] {
  const names = namesIn(words)
  for (const length of [2, 1]) {
    const command = commands.get(names.slice(0, length).join(' '))
    if (command !== undefined && length <= names.length) return [command, words.slice(length)]
  }
  const serve = commands.get('serve')
  if (names.length === 0 && serve !== undefined) return [serve, words]
  const family = [...commands.keys()].filter((name) => name.startsWith(`${names[0]} `))
  const hint = family.length > 0 ? `; there is ${family.join(', ')}` : ''
  throw new UsageError(`There is no command "${names.join(' ')}"${hint}.`)
}

/** The words before the first option. */
function namesIn(words: string[]): string[] {
  const end = words.findIndex((word) => word.startsWith('-'))
  return end < 0 ? words : words.slice(0, end)
}

/** @throws UsageError, or what `parseArgs` throws */
function readArguments(
  { argument, options = {}, flags = {}, required = [] }: Command,
  words: string[],
): Arguments {
  const typed = (names: object, type: 'string' | 'boolean') =>
    Object.keys(names).map((name) => [name, { type }] as const)
  const { values, positionals } = parseArgs({
    args: words,
    options: Object.fromEntries([...typed(options, 'string'), ...typed(flags, 'boolean')]),
    allowPositionals: true,
  })
  const [first = '', ...more] = positionals
  if (argument !== undefined && first === '') throw new UsageError(`${argument} is missing.`)
  const unexpected = argument === undefined ? positionals : more
  if (unexpected.length > 0) throw new UsageError(`Too many arguments: ${unexpected.join(' ')}.`)
  const missing = required.filter((name) => !values[name]).map((name) => `--${name} is missing`)
  if (missing.length > 0) throw new UsageError(`${missing.join(', ')}.`)
  const texts = Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === 'string')
  const given = Object.keys(flags).filter((name) => values[name] === true)
  return { options: Object.fromEntries(texts), flags: new Set(given), argument: first }
}

function say(text: string): number {
  process.stdout.write(`${text}\n`)
  return 0
}

/** Makes the help text of the command line from the table of commands. */
import { configNames } from './application.ts'
import { type Usage, UsageError } from './command.ts'
import { commands } from './commands.ts'

const nameWidth = 30

/**
 * @param words the name of a command, a part of its name, or nothing for all commands; further words are ignored
 * @throws UsageError
 */
export function help(words: readonly string[]): string {
  const prefix = words.join(' ')
  const wanted = [...commands].filter(([name]) => `${name} `.startsWith(prefix === '' ? '' : `${prefix} `))
  if (wanted.length === 0) {
    if (words.length > 1) return help(words.slice(0, -1))
    throw new UsageError(`There is no command "${prefix}".`)
  }
  const usage = `Usage: tenantry ${prefix === '' ? '[command]' : prefix}`
  const lines = wanted.map(([name, { argument, about }]) =>
    line([name, argument].filter(Boolean).join(' '), about),
  )
  const own = commands.get(prefix)
  if (own !== undefined)
    return [describeOne(usage, own), ...(lines.length > 1 ? ['', ...lines.slice(1)] : [])].join('\n')
  return [
    `${usage}${prefix === '' ? '' : ' <command>'} [options]`,
    '',
    ...lines,
    '',
    line('--help', 'Describe a command, or list all commands'),
    line('--version', 'Show the version'),
    line('--config <file>', `Application to run (default: ${configNames[0]} in the working directory)`),
    '',
    'Settings are read from the environment and from .env in the working directory.',
  ].join('\n')
}

function describeOne(
  usage: string,
  { about, argument, options = {}, lists = {}, flags = {}, required = [] }: Usage,
): string {
  const valued = Object.entries(options).map(([name, meaning]) =>
    line(`--${name} <value>`, required.includes(name) ? `${meaning} (required)` : meaning),
  )
  const lines = [
    ...valued,
    ...Object.entries(lists).map(([name, meaning]) => line(`--${name} <value> …`, meaning)),
    ...Object.entries(flags).map(([name, meaning]) => line(`--${name}`, meaning)),
  ]
  const call = [usage, argument, lines.length > 0 && '[options]'].filter(Boolean).join(' ')
  return [call, '', `${about}.`, ...(lines.length > 0 ? ['', ...lines] : [])].join('\n')
}

function line(name: string, meaning: string): string {
  return `  ${name.padEnd(nameWidth)}${meaning}`
}

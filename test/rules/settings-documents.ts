/** Writes `.env.example`, and the table of settings in the README, from the settings themselves. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settings } from '../../src/core/settings/settings.ts'
import { readProjectFile, root } from './source.ts'

const begin = '<!-- settings -->'
const end = '<!-- /settings -->'

interface Described {
  about: string
  shown: string
  initial: unknown
}

const described: [string, Described][] = Object.entries(settings)

export function environmentExample(): string {
  const head = '# Every setting, with what it is when left out. Copy to .env and set what differs.\n'
  const entries = described.map(
    ([name, { about, shown, initial }]) =>
      `\n# ${about}.\n# Default: ${shown}\n#${name}=${literal(initial)}\n`,
  )
  return head + entries.join('')
}

/** @returns the README with its table renewed, @throws Error when it has no place for one */
export function withSettingsTable(readme: string): string {
  const from = readme.indexOf(begin)
  const to = readme.indexOf(end)
  if (from < 0 || to < from) throw new Error(`The README has no ${begin} followed by ${end}.`)
  return `${readme.slice(0, from + begin.length)}\n${settingsTable()}${readme.slice(to)}`
}

function settingsTable(): string {
  const rows = described.map(
    ([name, { about, shown }]) => `| \`${name}\` | ${cell(about)} | ${cell(shown)} |\n`,
  )
  return `| Setting | Meaning | Default |\n|---|---|---|\n${rows.join('')}`
}

function cell(text: string): string {
  const parts = text.replaceAll('|', '\\|').split('`')
  // Between backticks everything stands for itself.
  return parts.map((part, index) => (index % 2 === 0 ? part.replaceAll('<', '&lt;') : part)).join('`')
}

/** What can be written after `NAME=` and means the default; nothing where the default is worked out. */
function literal(initial: unknown): string {
  return initial === null || Array.isArray(initial) ? '' : String(initial)
}

if (import.meta.main) {
  writeFileSync(join(root, '.env.example'), environmentExample())
  const readme = readProjectFile('README.md')
  if (readme !== null) writeFileSync(join(root, 'README.md'), withSettingsTable(readme))
}

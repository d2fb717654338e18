/** Writes `.env.example` and the table in `docs/operations/settings.md` from the settings themselves. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { settings } from '../../src/core/settings/settings.ts'
import { readProjectFile, root } from '../support/source.ts'

/** The page with the table. */
export const path = 'docs/operations/settings.md'

const begin = '<!-- settings -->'
const end = '<!-- /settings -->'

interface Described {
  about: string
  shown: string
  initial: unknown
}

const described: [string, Described][] = Object.entries(settings)

export function environmentExample(): string {
  const head = '# All settings with their defaults. Copy this file to .env and change what differs.\n'
  const entries = described.map(
    ([name, { about, shown, initial }]) =>
      `\n# ${about}.\n# Default: ${shown}\n#${name}=${literal(initial)}\n`,
  )
  return head + entries.join('')
}

/** @returns the page with its table renewed, @throws Error when it has no place for one */
export function withSettingsTable(page: string): string {
  const from = page.indexOf(begin)
  const to = page.indexOf(end)
  if (from < 0 || to < from) throw new Error(`The page has no ${begin} followed by ${end}.`)
  return `${page.slice(0, from + begin.length)}\n${settingsTable()}${page.slice(to)}`
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
  writeFileSync(join(root, path), withSettingsTable(readProjectFile(path) ?? ''))
}

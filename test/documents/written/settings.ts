/** What documents say of the settings, from the settings themselves. */
import { settings } from '../../../src/core/settings/settings.ts'
import { tableOf } from './table.ts'

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

export function settingsTable(): string {
  return tableOf(
    ['Setting', 'Meaning', 'Default'],
    described.map(([name, { about, shown }]) => [`\`${name}\``, about, shown]),
  )
}

/** What can be written after `NAME=` and means the default; nothing where the default is worked out. */
function literal(initial: unknown): string {
  return initial === null || Array.isArray(initial) ? '' : String(initial)
}

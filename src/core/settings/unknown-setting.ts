/** Misspelt settings: a start with the default instead, on an empty database even, would be a worse surprise. */
import { isOneSlipAway } from '../names.ts'
import { isSettingName, settings } from './settings.ts'

/** Read from the same file by Docker Compose and by the PostgreSQL image. */
const otherReaders = /^(COMPOSE|POSTGRES)_/

/** The file is ours: every name in it is a setting. */
export function unknownInFile(names: readonly string[]): string[] {
  return names
    .filter((name) => !isSettingName(name) && !otherReaders.test(name))
    .map((name) => `${describe(name)} (in .env)`)
}

/** The environment holds much that is not ours: only what can be meant for us is judged. */
export function unknownInEnvironment(names: readonly string[]): string[] {
  const ours = /^(TENANTRY|GRAPHQL|WEBHOOK|MASTER|CORS|TRUST)_/
  return names
    .filter((name) => !isSettingName(name) && (ours.test(name) || nearest(name) !== null))
    .map(describe)
}

function describe(name: string): string {
  const meant = nearest(name)
  return `${name}: there is no such setting${meant === null ? '' : `; is ${meant} meant?`}`
}

/** Short names are one slip away from many words. */
const minComparedLength = 7

function nearest(name: string): string | null {
  const written = name.toUpperCase()
  const known = Object.keys(settings).filter(({ length }) => length >= minComparedLength)
  return known.find((candidate) => isOneSlipAway(written, candidate)) ?? null
}

/** Reports misspelt settings: with the default instead, the service could for example run on an empty database. */
import { isOneEditAway } from '../names.ts'
import { isSettingName, settings } from './settings.ts'

/** Names in the file `.env` that Docker Compose and the image of PostgreSQL read. */
const otherReaders = /^(COMPOSE|POSTGRES)_/

/** Checks the names in the file. Every one has to be a setting. */
export function unknownInFile(names: readonly string[]): string[] {
  return names
    .filter((name) => !isSettingName(name) && !otherReaders.test(name))
    .map((name) => `${describe(name)} (in .env)`)
}

/** Checks the environment, which has other variables too: only names that resemble settings are reported. */
export function unknownInEnvironment(names: readonly string[]): string[] {
  const ours = /^(TENANTRY|GRAPHQL|WEBHOOK|FILES|MASTER|CORS|TRUST)_/
  return names
    .filter((name) => !isSettingName(name) && (ours.test(name) || nearest(name) !== null))
    .map(describe)
}

function describe(name: string): string {
  const meant = nearest(name)
  return `${name}: there is no such setting${meant === null ? '' : `; did you mean ${meant}?`}`
}

/** The length from which a name is compared: shorter names resemble too many other words. */
const minComparedLength = 7

function nearest(name: string): string | null {
  const written = name.toUpperCase()
  const known = Object.keys(settings).filter(({ length }) => length >= minComparedLength)
  return known.find((candidate) => isOneEditAway(written, candidate)) ?? null
}

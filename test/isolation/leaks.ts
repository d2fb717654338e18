import type { Victim } from '../support/victim.ts'

/** @returns names of the tenant that the text contains */
export function leaksIn(text: string, { canary, names, id }: Victim): string[] {
  const { rows, hostRows: _others, deleted, ...others } = names
  const ids = Object.values(others).filter((name) => uuid.test(name))
  const secrets = new Set([
    canary,
    id,
    names.refreshToken,
    ...Object.values(rows),
    ...Object.values(deleted),
    ...ids,
  ])
  return [...secrets].filter((secret) => text.includes(secret))
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/

import type { Victim } from '../support/victim.ts'

/** @returns names of the tenant that the text contains */
export function leaksIn(text: string, { canary, names, id }: Victim): string[] {
  const secrets = [canary, names.user, ...Object.values(names.rows), id]
  return secrets.filter((secret) => text.includes(secret))
}

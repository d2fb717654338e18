import type { Victim } from '../support/victim.ts'

/** @returns what a text shows of the tenant */
export function leaksIn(text: string, { canary, names, id }: Victim): string[] {
  const secrets = [canary, names.user, names.product, names.category, names.order, id]
  return secrets.filter((secret) => text.includes(secret))
}

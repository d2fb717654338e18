/** Checks that the entities of an application have row rules, if required, and warns of what rules cannot hide. */
import { ApplicationError } from '../core/feature/application-error.ts'
import type { ServiceOptions } from './service-options.ts'

/** @throws ApplicationError for entities without `rows`, if the application requires them */
export function requireRowRules({ features = [], requireRows = false }: ServiceOptions): void {
  if (!requireRows) return
  const silent = features.filter(({ statesRows }) => statesRows === false).map(({ name }) => name)
  if (silent.length > 0)
    throw new ApplicationError(
      `requireRows: ${silent.map((name) => `${name} states no access.rows`).join(', ')}. Write a rule, or everyRow.`,
    )
}

/** @returns the warnings for the log of a start and for `tenantry check` */
export function warningsOf({ features = [] }: ServiceOptions): string[] {
  return features.flatMap(({ warnings }) => warnings?.() ?? [])
}

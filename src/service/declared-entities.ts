/** The descriptions of all entities, each made at the first request and kept. */
import type { EntityDescription } from '../core/feature/entity-description.ts'
import type { Feature } from '../core/feature/feature.ts'

export function declaredEntities(features: readonly Feature[]): (() => EntityDescription)[] {
  return features.flatMap(({ describe }) => {
    let made: EntityDescription | null = null
    return describe === undefined ? [] : [() => (made ??= describe())]
  })
}

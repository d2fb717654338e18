/** Groups the entities for the navigation. */
import type { EntityDescription } from '../describe.ts'
import { text } from '../text/text.ts'

/** @returns the entities by group; those without a group are last */
export function groupsOf(entities: readonly EntityDescription[]): [string, EntityDescription[]][] {
  const groups = new Map<string, EntityDescription[]>()
  for (const entity of entities) {
    if (entity.console?.hidden === 'navigation') continue
    const group = entity.console?.group ?? text.navigation.entities
    groups.set(group, [...(groups.get(group) ?? []), entity].toSorted(byOrder))
  }
  return [...groups].toSorted(([one], [other]) => rankOf(one) - rankOf(other))
}

function byOrder(one: EntityDescription, other: EntityDescription): number {
  return (one.console?.order ?? Infinity) - (other.console?.order ?? Infinity) || 0
}

function rankOf(group: string): number {
  return group === text.navigation.entities ? 1 : 0
}

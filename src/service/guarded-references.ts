/**
 * Finds roles that may read rows, but not the rows to which these refer. Reading a referenced row requires the right
 * to read its entity.
 */
import { uncapitalized } from '../core/capital.ts'
import type { Feature } from '../core/feature/feature.ts'
import type { ApplicationRoles, Permission, PermissionSet, Permissions } from '../core/permission.ts'
import type { ReadModel } from '../database/read/read-model.ts'
import { guards } from '../database/read/readable.ts'

export interface GuardedReference {
  /** `ticket.customer` */
  name: string
  /** Permissions of which a caller needs one to read the rows that have the reference; `null`: everybody may. */
  readers: readonly string[] | null
  /** Permissions of which a caller needs one to read the row that it names. */
  targetReaders: readonly string[]
}

export function guardedReferences(features: readonly Feature[]): GuardedReference[] {
  const found = new Map<string, GuardedReference>()
  const add = (model: ReadModel, place: string, readers: GuardedReference['readers']): void => {
    for (const relation of model.relations.values()) {
      const name = `${place}.${relation.name}`
      const { readers: targetReaders = [] } = relation.entity
      if (guards(relation)) found.set(name, { name, readers, targetReaders })
      const isList = relation.kind === 'many' && relation.isPaged !== true
      if (isList) add(relation.entity, name, readers)
    }
  }
  for (const { graphql } of features)
    for (const field of Object.values(graphql?.queries ?? {}))
      if ('entity' in field) {
        const { entity } = field
        add(entity, uncapitalized(entity.name), entity.readers ?? null)
      }
  return [...found.values()]
}

/** @returns a clause that names the references whose rows a role may not read; `null` if there are none */
export function unreadReferences(
  references: readonly GuardedReference[],
  permissions: PermissionSet,
): string | null {
  const has = (name: string) => permissions.has(name as Permission) // readers are permissions
  const unread = references.filter(
    ({ readers, targetReaders }) => (readers === null || readers.some(has)) && !targetReaders.some(has),
  )
  if (unread.length === 0) return null
  const named = unread.map(({ name, targetReaders }) => `${name} (${targetReaders.join(' or ')})`)
  return `reads the id alone where a row refers to one that it may not read: ${named.join(', ')}.`
}

/** @returns a sentence for each role of every tenant that may not read some referenced rows */
export function rolesWithoutTargets(
  references: readonly GuardedReference[],
  { permissions, applicationRoles }: { permissions: Permissions; applicationRoles: ApplicationRoles },
): string[] {
  const roles: [name: string, permissions: PermissionSet][] = [
    ['User', permissions.ofRole('User', '')],
    ...[...applicationRoles.values()].map(({ name, permissions: granted }): [string, PermissionSet] => [
      name,
      new Set(granted),
    ]),
  ]
  return roles.flatMap(([name, granted]) => {
    const unread = unreadReferences(references, granted)
    return unread === null ? [] : [`The role ${name} ${unread}`]
  })
}

/** The table of permissions and roles, whose ticks are collected in drafts until they are saved. */
import { mayToggle } from '../../access.ts'
import { useApp } from '../../app-context.ts'
import { PlaceholderRows, ScrollingTable } from '../../component/data-table.tsx'
import { text } from '../../text/text.ts'
import type { Permission, Role } from './types.ts'

const texts = text.administration.roles

export interface RoleVersion {
  role: Role
  /** `null` for built-in roles. */
  etag: string | null
}

/** The changed permissions of a role: `true` for a ticked one, `false` for an unticked one. */
export type Draft = ReadonlyMap<string, boolean>
type Drafts = ReadonlyMap<string, Draft>

interface RoleMatrixProps {
  /** `null` while the permissions are loaded. */
  permissions: readonly Permission[] | null
  roles: readonly RoleVersion[]
  drafts: Drafts
  mayWrite: boolean
  onToggle: (role: Role, permission: string) => void
  onOpen: (role: Role) => void
}

export function RoleMatrix({ permissions, roles, drafts, mayWrite, onToggle, onOpen }: RoleMatrixProps) {
  return (
    <ScrollingTable label={texts.matrix} isLoading={permissions === null}>
      <thead class="matrix">
        <tr>
          <th scope="col">{text.administration.common.permissions}</th>
          {roles.map(({ role }) => (
            <th scope="col" key={role.name} title={role.description ?? undefined}>
              {mayWrite && !role.isBuiltIn ? (
                <button
                  type="button"
                  aria-label={texts.editDescription(role.name)}
                  onClick={() => onOpen(role)}
                >
                  {role.name} ✎
                </button>
              ) : (
                role.name
              )}
              {role.isBuiltIn && (
                <div class="badge">{role.source === 'application' ? texts.ofApplication : texts.builtIn}</div>
              )}
            </th>
          ))}
        </tr>
      </thead>
      {permissions === null ? (
        <PlaceholderRows columns={3} />
      ) : (
        <tbody class="matrix">
          {permissions.map((permission) => (
            <tr key={permission.name}>
              <th scope="row">
                <code>{permission.name}</code>
                <div class="soft">{permission.description}</div>
              </th>
              {roles.map(({ role }) => (
                <Cell
                  key={role.name}
                  role={role}
                  permission={permission.name}
                  isGranted={isGranted(drafts.get(role.name), role, permission.name)}
                  mayWrite={mayWrite}
                  onToggle={onToggle}
                />
              ))}
            </tr>
          ))}
        </tbody>
      )}
    </ScrollingTable>
  )
}

interface CellProps {
  role: Role
  permission: string
  isGranted: boolean
  mayWrite: boolean
  onToggle: (role: Role, permission: string) => void
}

function Cell({ role, permission, isGranted: isTicked, mayWrite, onToggle }: CellProps) {
  const isHeld = mayToggle(permission, role, useApp())
  return (
    <td>
      <input
        type="checkbox"
        aria-label={texts.grant(permission, role.name)}
        title={isHeld ? undefined : text.administration.common.unheld}
        checked={isTicked}
        disabled={role.isBuiltIn || !mayWrite || !isHeld}
        onChange={() => onToggle(role, permission)}
      />
    </td>
  )
}

/** @returns the drafts after a click. A role without any difference to the stored one has no draft. */
export function toggled(drafts: Drafts, role: Role, permission: string): Drafts {
  const draft = new Map(drafts.get(role.name))
  const next = !isGranted(draft, role, permission)
  if (next === role.permissions.includes(permission)) draft.delete(permission)
  else draft.set(permission, next)
  const changed = new Map(drafts)
  if (draft.size === 0) changed.delete(role.name)
  else changed.set(role.name, draft)
  return changed
}

/** @returns the stored permissions of the role with the changes of the draft */
export function applied(draft: Draft, { permissions }: Role): string[] {
  const added = [...draft].flatMap(([name, isTicked]) => (isTicked ? [name] : []))
  return [...new Set([...permissions, ...added])].filter((name) => draft.get(name) !== false)
}

function isGranted(draft: Draft | undefined, { permissions }: Role, permission: string): boolean {
  return draft?.get(permission) ?? permissions.includes(permission)
}

/** Chooses the roles of a user. Only roles can be given whose permissions the signed-in user has. */
import { get } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { Choices } from '../../component/choices.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import type { Role } from './types.ts'

const texts = text.administration.users

export interface KnownRoles {
  names: readonly string[]
  /** @returns why the signed-in user cannot give the role; `null` if the user can */
  refusal: (name: string) => string | null
}

/**
 * @param isOtherTenant whether it is another tenant, whose roles cannot be listed: then the built-in ones are
 *   offered
 */
export function useRoles(isOtherTenant = false): KnownRoles {
  const { can } = useApp()
  const isListed = can('role:read') && !isOtherTenant
  const { data } = useLoaded(`roles ${isListed}`, () =>
    isListed ? get<Role[]>('/api/roles') : Promise.resolve([]),
  )
  const known = data ?? []
  return {
    names: isListed ? known.map(({ name }) => name) : ['Admin', 'User'],
    refusal: (name) => {
      const role = known.find((each) => each.name === name)
      return role === undefined || role.permissions.every(can) ? null : texts.unheldRole
    },
  }
}

interface RoleChoicesProps {
  roles: KnownRoles
  label?: string
  chosen: readonly string[]
  onChange: (roles: string[]) => void
}

export function RoleChoices({ roles, label = texts.roles, chosen, onChange }: RoleChoicesProps) {
  const names = [...new Set([...roles.names, ...chosen])]
  return <Choices label={label} names={names} chosen={chosen} refusal={roles.refusal} onChange={onChange} />
}

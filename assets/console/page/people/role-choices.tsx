/** The roles that somebody gets; only those whose permissions the signed-in user has can be given. */
import { get } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { Choices } from '../../component/choices.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import type { Role } from './types.ts'

const texts = text.administration.users

interface RoleChoicesProps {
  chosen: readonly string[]
  /** Roles of another tenant cannot be listed: the built-in ones are offered. */
  isOtherTenant?: boolean
  onChange: (roles: string[]) => void
}

export function RoleChoices({ chosen, isOtherTenant = false, onChange }: RoleChoicesProps) {
  const { can } = useApp()
  const isListed = can('role:read') && !isOtherTenant
  const { data } = useLoaded(`roles ${isListed}`, () =>
    isListed ? get<Role[]>('/api/roles') : Promise.resolve([]),
  )
  const known = data ?? []
  const names = new Set([...(isListed ? known.map(({ name }) => name) : ['Admin', 'User']), ...chosen])
  const refusal = (name: string) => {
    const role = known.find((each) => each.name === name)
    return role === undefined || role.permissions.every(can) ? null : texts.unheldRole
  }
  return (
    <Choices label={texts.roles} names={[...names]} chosen={chosen} refusal={refusal} onChange={onChange} />
  )
}

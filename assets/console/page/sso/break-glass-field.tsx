/** The field for the administrator who can sign in with a password even if the identity provider fails. */
import { useApp } from '../../app-context.ts'
import { Field } from '../../component/field.tsx'
import { loadAll } from '../../component/list.ts'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import type { User } from '../people/types.ts'

const texts = text.access.sso

interface BreakGlassProps {
  /** The id of the user; '' for nobody. */
  value: string
  fault: string | null
  onChange: (id: string) => void
}

export function BreakGlassField({ value, fault, onChange }: BreakGlassProps) {
  const administrators = useAdministrators()
  const isKnown = value === '' || administrators.some(({ id }) => id === value)
  return (
    <Field label={texts.breakGlass} hint={texts.breakGlassHint} fault={fault}>
      {(control) => (
        <select {...control} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)}>
          <option value="">{texts.nobody}</option>
          {!isKnown && <option value={value}>{value}</option>}
          {administrators.map(({ id, userName }) => (
            <option key={id} value={id}>
              {userName}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}

/** @returns the administrators to choose from. A user who may not list others can choose only themselves. */
function useAdministrators(): readonly Pick<User, 'id' | 'userName'>[] {
  const { user, can } = useApp()
  const isListed = can('user:read')
  const { data } = useLoaded(`administrators ${isListed}`, async () => {
    if (!isListed) return [user]
    const users = await loadAll<User>('/api/users', { tenantId: user.tenantId, isActive: 'true' })
    return users.filter(({ roles }) => roles.includes('Admin'))
  })
  return data ?? []
}

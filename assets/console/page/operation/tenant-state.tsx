import { text } from '../../text/text.ts'

export function TenantState({ isActive }: { isActive: boolean }) {
  return (
    <span class={isActive ? 'badge good' : 'badge bad'}>
      {isActive ? text.administration.common.active : text.administration.tenants.suspended}
    </span>
  )
}

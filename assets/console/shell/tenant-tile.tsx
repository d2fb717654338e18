/** Whose rows are shown: the name of the tenant, and who looks. */
import { useApp } from '../app-context.ts'
import { hrefOf } from '../router.ts'

export function TenantTile() {
  const { user, tenant } = useApp()
  const name = tenant?.name ?? user.tenantId
  return (
    <a class="tenant-tile" href={hrefOf('/')}>
      <span class="tile brand-tile" aria-hidden="true">
        {(name[0] ?? '').toLocaleUpperCase()}
      </span>
      <span class="names">
        <strong class="truncate">{name}</strong>
        <span class="truncate note">
          {user.userName} · {user.tenantId}
        </span>
      </span>
    </a>
  )
}

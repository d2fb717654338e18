/** Whose rows are shown, and who looks; behind it where the users of the tenant sign in. */
import { Building2, ChevronsUpDown, Copy, Settings } from 'lucide'
import { useApp } from '../app-context.ts'
import { useBrand } from '../brand.ts'
import { BrandTile } from '../component/brand-tile.tsx'
import { Icon } from '../component/icon.tsx'
import { Menu } from '../component/menu.tsx'
import { hrefOf } from '../router.ts'
import { text } from '../text/text.ts'

export function TenantTile() {
  const { user, can } = useApp()
  const brand = useBrand()
  const name = useTenantName()
  return (
    <div class="tenant-menu">
      <Menu
        label={
          <>
            <BrandTile brand={brand} name={name} />
            <span class="names">
              <strong class="truncate">{name}</strong>
              <span class="truncate note">
                {user.userName} · {user.tenantId}
              </span>
            </span>
            <Icon node={ChevronsUpDown} />
          </>
        }
      >
        {brand !== null && <SignInAddress address={brand.signInUrl} />}
        {can('setting:read') && (
          <a class="button" href={hrefOf('/settings')}>
            <Icon node={Settings} />
            {text.navigation.settings}
          </a>
        )}
        {can('tenant:read') && (
          <a class="button" href={hrefOf('/tenants')}>
            <Icon node={Building2} />
            {text.navigation.tenants}
          </a>
        )}
      </Menu>
    </div>
  )
}

/** That of its brand, or its id until that is known. */
export function useTenantName(): string {
  const { user } = useApp()
  return useBrand()?.name ?? user.tenantId
}

function SignInAddress({ address }: { address: string }) {
  return (
    <div class="menu-text">
      <span class="note">{text.home.signInAddress}</span>
      <code class="wrap">{address}</code>
      <button type="button" onClick={() => void navigator.clipboard.writeText(address)}>
        <Icon node={Copy} />
        {text.action.copy}
      </button>
    </div>
  )
}

/**
 * Shows the tenant and the signed-in user. Its menu has the sessions, and the address where the tenant's users sign
 * in.
 */
import { Building2, ChevronsUpDown, Copy, LogIn, Settings } from 'lucide'
import { isHostAdmin } from '../access.ts'
import { useApp } from '../app-context.ts'
import { useBrand } from '../brand.ts'
import { BrandTile } from '../component/brand-tile.tsx'
import { Icon } from '../component/icon.tsx'
import { Menu } from '../component/menu.tsx'
import { lazy } from '../lazy.tsx'
import { loadPages } from '../pages.ts'
import { hrefOf, whenLeft } from '../router.ts'
import { switchSession } from '../session.ts'
import { text } from '../text/text.ts'
import { SessionList } from './session-list.tsx'

const TenantSearch = lazy(async () => (await loadPages()).TenantSearch)

export function TenantTile() {
  const { user, can } = useApp()
  const brand = useBrand()
  const name = useTenantName()
  return (
    <div class="tenant-menu">
      <Menu
        isLazy
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
        {isHostAdmin(user) && <TenantSearch />}
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
        {user.impersonator === undefined && <Sessions />}
      </Menu>
    </div>
  )
}

/** The sessions to switch to. The page is then loaded again, so that no row of this tenant gets into another one. */
function Sessions() {
  return (
    <>
      <SessionList />
      <button type="button" onClick={() => whenLeft(() => switchSession(''))}>
        <Icon node={LogIn} />
        {text.navigation.otherTenant}
      </button>
    </>
  )
}

/** @returns the name in the tenant's brand; its id until that is known */
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

/**
 * Shows a tenant as a link: its name, and its id if that differs. A reader who may not see tenants sees only the id.
 */
import { get } from '../api.ts'
import { useApp } from '../app-context.ts'
import { useLoaded } from '../load.ts'
import { readTogether } from '../read-together.ts'
import { hrefOf } from '../router.ts'

interface NamedTenant {
  id: string
  name: string
}

/** @returns the name; the id until the name is loaded, and for a tenant that no longer exists */
export function useTenantName(id: string): string {
  const maySee = useApp().can('tenant:read')
  const { data } = useLoaded(`tenant/${id}/${maySee}`, async () => (maySee ? tenantNameOf(id) : null))
  return data ?? id
}

/** @returns `null` if there is no such tenant @throws ApiError */
export async function tenantNameOf(id: string): Promise<string | null> {
  const path = '/api/tenants'
  const found = await readTogether(path, id, (ids) =>
    get<NamedTenant[]>(path, { query: { 'id[in]': ids, limit: '100', fields: 'id,name' } }),
  )
  return found?.name ?? null
}

/** @param href if absent, the page of the tenant */
export function TenantName({ id, href = tenantHref(id) }: { id: string; href?: string }) {
  const name = useTenantName(id)
  return (
    <span class="names">
      <a href={href}>{name}</a>
      {name !== id && <span class="soft">{id}</span>}
    </span>
  )
}

export function tenantHref(id: string): string {
  return hrefOf(`/tenants/${encodeURIComponent(id)}`)
}

/** A tenant by its name, as a link, with the id where that differs; by its id alone for whoever may not see tenants. */
import { get } from '../api.ts'
import { useApp } from '../app-context.ts'
import { useLoaded } from '../load.ts'
import { readTogether } from '../read-together.ts'
import { hrefOf } from '../router.ts'

interface NamedTenant {
  id: string
  name: string
}

/** @returns the id until the name is there, and for a tenant that is gone */
export function useTenantName(id: string): string {
  const maySee = useApp().can('tenant:read')
  const { data } = useLoaded(`tenant/${id}/${maySee}`, async () => (maySee ? tenantNameOf(id) : null))
  return data ?? id
}

/** @returns `null` for no tenant @throws ApiError */
export async function tenantNameOf(id: string): Promise<string | null> {
  const path = '/api/tenants'
  const found = await readTogether(path, id, (ids) =>
    get<NamedTenant[]>(path, { query: { 'id[in]': ids, fields: 'id,name' } }),
  )
  return found?.name ?? null
}

/** @param href the page of the tenant if absent */
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

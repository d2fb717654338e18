/** The page of tenants: all of them for operators, the own tenant for its administrators. */
import { Building2 } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import { useApp } from '../../app-context.ts'
import type { Column } from '../../component/data-table.tsx'
import { useList } from '../../component/list.ts'
import { ListTable } from '../../component/list-page.tsx'
import { MomentInWords as Moment } from '../../component/moment-in-words.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { decoded, hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'
import { overviewColumns, overviewPath, State, type TenantOverview } from '../operator/tenant-overview.tsx'
import { hostTenantId } from '../people/types.ts'
import { NewTenant } from './new-tenant.tsx'
import { TenantDetail } from './tenant.tsx'
import { TenantState } from './tenant-state.tsx'
import type { Tenant } from './tenant-type.ts'

const texts = text.administration.tenants
const { common } = text.administration

export function TenantsPage() {
  const { path } = usePlace()
  const [, , id] = path.split('/')
  if (id === undefined) return <TenantList />
  return id === 'new' ? <NewTenant /> : <TenantDetail key={id} id={decoded(id)} />
}

const names: readonly Column<Tenant>[] = [
  {
    label: common.id,
    show: ({ id }) => <a href={hrefOf(`/tenants/${encodeURIComponent(id)}`)}>{id}</a>,
  },
  { label: common.name, show: ({ name }) => name },
]

const plan: Column<Tenant> = { label: texts.plan, show: (tenant) => tenant.plan ?? text.state.none }

const createdAt: Column<Tenant> = {
  label: common.createdAt,
  show: (tenant) => <Moment value={tenant.createdAt} />,
}

const ownColumns: readonly Column<Tenant>[] = [
  ...names,
  { label: texts.subdomain, show: ({ subdomain }) => subdomain ?? text.state.none },
  plan,
  { label: common.state, show: ({ isActive }) => <TenantState isActive={isActive} /> },
  createdAt,
]

const allColumns: readonly Column<TenantOverview>[] = [
  {
    label: common.name,
    show: ({ id, name, plan: given }) => (
      <span class="names">
        <a href={hrefOf(`/tenants/${encodeURIComponent(id)}`)}>{name}</a>{' '}
        <span class="soft">{[id === name ? null : id, given].filter(Boolean).join(' · ')}</span>
      </span>
    ),
  },
  { label: common.state, show: (tenant) => <State tenant={tenant} /> },
  ...overviewColumns,
]

function TenantList() {
  const { user, can } = useApp()
  return (
    <div class="stack">
      <PageHead icon={Building2} title={texts.title}>
        {can('tenant:write') && user.tenantId === hostTenantId && (
          <a class="button main" href={hrefOf('/tenants/new')}>
            {text.action.newRow(texts.one)}
          </a>
        )}
      </PageHead>
      {can('operation:read') ? <AllTenants /> : <OwnTenants />}
    </div>
  )
}

const measureMs = 2500
/** After so many requests, tenants without a measured size stay without one. */
const maxLooks = 8

/** Lists all tenants. The first request begins to measure their sizes, so the list is loaded again to show them. */
function AllTenants() {
  const list = useList<TenantOverview>({ path: overviewPath })
  const [looks, setLooks] = useState(0)
  const isMeasuring =
    looks < maxLooks &&
    list.data?.some(({ database, estimate }) => database === 'shared' && estimate === null) === true
  useEffect(() => {
    if (!isMeasuring) return
    const timer = setTimeout(() => {
      setLooks(looks + 1)
      list.reload()
    }, measureMs)
    return () => clearTimeout(timer)
  }, [isMeasuring, looks])
  return <ListTable label={texts.title} columns={allColumns} list={list} none={texts.none} />
}

function OwnTenants() {
  const list = useList<Tenant>({ path: '/api/tenants' })
  return <ListTable label={texts.title} columns={ownColumns} list={list} none={texts.none} />
}

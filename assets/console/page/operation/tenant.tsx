/** The page of a tenant: its data, the state of its database, and whether it is suspended. */
import { Building2 } from 'lucide'
import { useState } from 'preact/hooks'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { Form, TextField } from '../../component/form.tsx'
import { Loading } from '../../component/loading.tsx'
import { changedMembers } from '../../component/merge.ts'
import { Done, ErrorNotice } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { useLoaded } from '../../load.ts'
import { hrefOf } from '../../router.ts'
import { useTitle } from '../../shell/title.ts'
import { text } from '../../text/text.ts'
import { HostSettings } from '../operator/host-settings.tsx'
import { TenantSize } from '../operator/size.tsx'
import { TenantOperations } from '../operator/tenant-operations.tsx'
import { TenantUsage } from '../operator/usage.tsx'
import { hostTenantId } from '../people/types.ts'
import { SuspendDialog } from './suspend-tenant.tsx'
import { TenantDatabaseState } from './tenant-database.tsx'
import { TenantState } from './tenant-state.tsx'
import { orNull, type Tenant } from './tenant-type.ts'

const texts = text.administration.tenants
const { common } = text.administration

export function TenantDetail({ id }: { id: string }) {
  const { user, can } = useApp()
  const path = `/api/tenants/${encodeURIComponent(id)}`
  const { data: tenant, error, reload } = useLoaded(path, (signal) => get<Tenant>(path, { signal }))
  useTitle(tenant?.name ?? null)
  const [isSaved, setSaved] = useState(false)
  const [isSuspending, setSuspending] = useState(false)
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (tenant === null) return <Loading />
  const isHost = user.tenantId === hostTenantId
  const change = async (body: Record<string, unknown>) => {
    await request('PUT', path, { body })
    setSaved(true)
    reload()
  }
  return (
    <div class="stack">
      <PageHead icon={Building2} title={tenant.name} badges={<TenantState isActive={tenant.isActive} />}>
        {isHost && can('user:read') && (
          <a class="button" href={hrefOf('/users', id === hostTenantId ? {} : { tenantId: id })}>
            {texts.users}
          </a>
        )}
        <a class="button" href={hrefOf('/tenants')}>
          {texts.title}
        </a>
      </PageHead>
      {isSaved && <Done>{text.state.saved}</Done>}
      <TenantDatabaseState path={path} />
      {can('operation:read') && (
        <div class="halves">
          <TenantUsage path={path} />
          <TenantSize path={path} />
        </div>
      )}
      {can('tenant:write') && (
        <section class="card">
          <TenantForm key={JSON.stringify(tenant)} tenant={tenant} isHost={isHost} change={change} />
        </section>
      )}
      {can('operation:read') && can('setting:read') && <HostSettings path={path} />}
      {can('tenant:write') && isHost && id !== hostTenantId && (
        <div class="row">
          {tenant.isActive ? (
            <button type="button" class="danger" onClick={() => setSuspending(true)}>
              {texts.suspend}
            </button>
          ) : (
            <ActionButton act={() => change({ isActive: true })}>{texts.activate}</ActionButton>
          )}
        </div>
      )}
      {can('operation:write') && id !== hostTenantId && <TenantOperations tenant={tenant} path={path} />}
      {isSuspending && (
        <SuspendDialog
          tenant={tenant}
          path={path}
          onClose={() => setSuspending(false)}
          onDone={() => {
            setSuspending(false)
            reload()
          }}
        />
      )}
    </div>
  )
}

interface TenantValues {
  name: string
  subdomain: string
  plan: string
  connectionString: string
}

function tenantInput({ name, subdomain, plan, connectionString }: TenantValues) {
  return {
    name,
    subdomain: orNull(subdomain),
    plan: orNull(plan),
    ...(connectionString !== '' && { connectionString }),
  }
}

interface TenantFormProps {
  tenant: Tenant
  isHost: boolean
  change: (body: Record<string, unknown>) => Promise<void>
}

/** Sends only changed members, because somebody else may change another member at the same time. */
function TenantForm({ tenant: { name, subdomain, plan }, isHost, change }: TenantFormProps) {
  const initial = { name, subdomain: subdomain ?? '', plan: plan ?? '', connectionString: '' }
  return (
    <Form
      initial={initial}
      button={text.action.save}
      submit={(values) => change(changedMembers(tenantInput(initial), tenantInput(values)))}
    >
      {(form) => (
        <>
          <TextField form={form} name="name" label={common.name} isRequired />
          <TextField form={form} name="subdomain" label={texts.subdomain} />
          {isHost && (
            <>
              <TextField form={form} name="plan" label={texts.plan} />
              <TextField
                form={form}
                name="connectionString"
                label={texts.connectionString}
                hint={texts.connectionChange}
              />
            </>
          )}
        </>
      )}
    </Form>
  )
}

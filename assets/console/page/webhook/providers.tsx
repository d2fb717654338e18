/** The providers whose webhooks the tenant accepts, and the addresses to give to them. */
import { useState } from 'preact/hooks'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { CopyButton } from '../../component/secret.tsx'
import { useLoaded } from '../../load.ts'
import { hrefOf } from '../../router.ts'
import { serviceAddress } from '../../service.ts'
import { text } from '../../text/text.ts'
import { formatMoment } from './moment.tsx'
import { ProviderForm } from './provider-form.tsx'
import type { Provider } from './types.ts'

const { provider: words } = text.webhook
const path = '/api/webhooks/providers'

export default function ProviderPage() {
  const { can, user } = useApp()
  const loaded = useLoaded<readonly Provider[]>('providers', (signal) => get(path, { signal }))
  const [edited, setEdited] = useState<Provider | 'new' | null>(null)
  const close = () => {
    setEdited(null)
    loaded.reload()
  }
  const create = can('webhookProvider:write') && (
    <button type="button" class="main" onClick={() => setEdited('new')}>
      {words.create}
    </button>
  )
  const actions: Column<Provider> = {
    label: text.webhook.actions,
    show: (row) => (
      <span class="actions">
        <button type="button" onClick={() => setEdited(row)}>
          {text.action.edit}
        </button>
        <ActionButton
          kind="danger"
          question={text.form.confirmDelete(row.provider)}
          act={async () => {
            await request('DELETE', `${path}/${row.provider}`)
            loaded.reload()
          }}
        >
          {text.action.delete}
        </ActionButton>
      </span>
    ),
  }
  const columns = columnsOf(user.tenantId)
  return (
    <div class="stack">
      <div class="row">
        <h1>{words.title}</h1>
        <span class="end">{create}</span>
      </div>
      <p class="soft">{words.text}</p>
      <DataTable
        label={words.title}
        columns={can('webhookProvider:write') ? [...columns, actions] : columns}
        loaded={loaded}
        keyOf={({ provider }) => provider}
        empty={
          <>
            <p>{words.empty}</p>
            <p>{create}</p>
          </>
        }
      />
      {edited !== null && (
        <Dialog title={edited === 'new' ? words.create : edited.provider} onClose={close}>
          <ProviderForm stored={edited === 'new' ? null : edited} addressOf={addressOf} onClose={close} />
        </Dialog>
      )}
    </div>
  )
  function addressOf(provider: string): string {
    return receivingAddress(provider, user.tenantId)
  }
}

function receivingAddress(provider: string, tenantId: string): string {
  const name = encodeURIComponent(provider)
  return `${location.origin}${serviceAddress(`/api/webhooks/receive/${name}`)}?tenant=${encodeURIComponent(tenantId)}`
}

function columnsOf(tenantId: string): Column<Provider>[] {
  return [
    {
      label: words.name,
      show: ({ provider }) => <a href={hrefOf('/receipts', { provider })}>{provider}</a>,
    },
    { label: words.scheme, show: ({ scheme }) => <code>{scheme}</code> },
    {
      label: words.address,
      show: ({ provider }) => (
        <span class="row">
          <code class="wrap">{receivingAddress(provider, tenantId)}</code>
          <CopyButton value={receivingAddress(provider, tenantId)} />
        </span>
      ),
    },
    {
      label: words.secret,
      show: ({ secret, formerSecretUntil }) => (
        <>
          <code>{secret}</code>
          {formerSecretUntil !== null && (
            <div class="soft">{words.formerUntil(formatMoment(formerSecretUntil))}</div>
          )}
        </>
      ),
    },
    { label: words.tolerance, isNumber: true, show: ({ toleranceSeconds }) => `${toleranceSeconds} s` },
  ]
}

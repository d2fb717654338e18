/** The page of providers whose webhooks the tenant accepts, with the addresses to enter at the provider. */
import { Plug } from 'lucide'
import { useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { code } from '../../component/columns.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { formatMoment } from '../../component/moment-in-words.tsx'
import { CopyButton } from '../../component/secret.tsx'
import { hrefOf } from '../../router.ts'
import { serviceAddress } from '../../service.ts'
import { text } from '../../text/text.ts'
import { ProviderForm } from './provider-form.tsx'
import type { Provider } from './types.ts'

const { provider: words } = text.webhook
const path = '/api/webhooks/providers'

const providers: Resource<Provider> = {
  path,
  title: words.title,
  text: words.text,
  icon: Plug,
  none: words.empty,
  isCounted: true,
  keyOf: ({ provider }) => provider,
  hrefOf: ({ provider }) => hrefOf('/receipts', { provider }),
  columns: [
    { label: words.name, show: ({ provider }) => provider },
    code(words.scheme, 'scheme'),
    { label: words.address, isWide: true, show: ({ provider }) => <Address provider={provider} /> },
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
  ],
}

export default function ProviderPage() {
  const { can } = useApp()
  const list = useList<Provider>(providers)
  const [edited, setEdited] = useState<Provider | 'new' | null>(null)
  const addressOf = useReceivingAddress()
  const close = () => {
    setEdited(null)
    list.reload()
  }
  const remove = async ({ provider }: Provider) => {
    await request('DELETE', `${path}/${provider}`)
    list.reload()
  }
  return (
    <ListPage<Provider>
      resource={providers}
      list={list}
      action={
        can('webhookProvider:write') && (
          <button type="button" class="main" onClick={() => setEdited('new')}>
            {words.create}
          </button>
        )
      }
      actionsOf={
        can('webhookProvider:write') &&
        ((row) => (
          <>
            <button type="button" onClick={() => setEdited(row)}>
              {text.action.edit}
            </button>
            <ActionButton
              kind="danger"
              question={text.form.confirmDelete(row.provider)}
              act={() => remove(row)}
            >
              {text.action.delete}
            </ActionButton>
          </>
        ))
      }
    >
      {edited !== null && (
        <Dialog title={edited === 'new' ? words.create : edited.provider} onClose={close}>
          <ProviderForm stored={edited === 'new' ? null : edited} addressOf={addressOf} onClose={close} />
        </Dialog>
      )}
    </ListPage>
  )
}

function Address({ provider }: { provider: string }) {
  const address = useReceivingAddress()(provider)
  return (
    <span class="row">
      <code class="wrap">{address}</code>
      <CopyButton value={address} />
    </span>
  )
}

function useReceivingAddress(): (provider: string) => string {
  const { tenantId } = useApp().user
  return (provider) => {
    const name = encodeURIComponent(provider)
    return `${location.origin}${serviceAddress(`/api/webhooks/receive/${name}`)}?tenant=${encodeURIComponent(tenantId)}`
  }
}

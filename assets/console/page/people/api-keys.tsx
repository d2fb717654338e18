/** Keys of programs. A key is shown once, when it is created. */
import { useState } from 'preact/hooks'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { Moment } from '../../component/moment.tsx'
import { ShownOnce } from '../../component/secret.tsx'
import { UserName } from '../../entity/user-reference.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import { attributeText } from './attributes.tsx'
import { type ApiKey, type CreatedKey, NewApiKey } from './new-api-key.tsx'

const texts = text.administration.apiKeys
const { common, users } = text.administration
const path = '/api/api-keys'

export function ApiKeysPage() {
  const { can } = useApp()
  const loaded = useLoaded(path, (signal) => get<ApiKey[]>(path, { signal }))
  const [isOpen, setOpen] = useState(false)
  const [created, setCreated] = useState<CreatedKey | null>(null)
  const mayWrite = can('apiKey:write')
  const revoke = async ({ id }: ApiKey) => {
    await request('DELETE', `${path}/${id}`)
    if (created?.id === id) setCreated(null)
    loaded.reload()
  }
  return (
    <div class="stack">
      <div class="row">
        <h1>{texts.title}</h1>
        {mayWrite && (
          <button type="button" class="main end" onClick={() => setOpen(true)}>
            {text.action.newRow(texts.one)}
          </button>
        )}
      </div>
      {created !== null && (
        <ShownOnce title={texts.created(created.name)} hint={texts.once} value={created.key} />
      )}
      <DataTable
        label={texts.title}
        columns={mayWrite ? [...columns, revokeColumn(revoke)] : columns}
        loaded={loaded}
        keyOf={({ id }) => id}
        empty={<p>{texts.none}</p>}
      />
      {isOpen && (
        <NewApiKey
          onClose={() => setOpen(false)}
          onCreated={(key) => {
            setCreated(key)
            setOpen(false)
            loaded.reload()
          }}
        />
      )}
    </div>
  )
}

const columns: readonly Column<ApiKey>[] = [
  { label: common.name, show: ({ name }) => name },
  { label: texts.prefix, show: ({ prefix }) => <code>{prefix}…</code> },
  {
    label: common.permissions,
    show: ({ permissions }) => (
      <details>
        <summary>{texts.count(permissions.length)}</summary>
        {permissions.join(', ')}
      </details>
    ),
  },
  { label: texts.actsFor, show: ({ actsFor }) => actsFor !== null && <UserName id={actsFor} /> },
  { label: users.attributes, show: ({ attributes }) => attributeText(attributes) },
  { label: texts.networks, show: ({ allowedNetworks }) => allowedNetworks?.join(', ') ?? texts.anywhere },
  {
    label: common.expiresAt,
    show: ({ expiresAt }) => (expiresAt === null ? common.never : <Moment value={expiresAt} />),
  },
  {
    label: common.lastUsedAt,
    show: ({ lastUsedAt }) => (lastUsedAt === null ? common.never : <Moment value={lastUsedAt} />),
  },
]

function revokeColumn(revoke: (key: ApiKey) => Promise<void>): Column<ApiKey> {
  return {
    label: common.actions,
    show: (key) => (
      <ActionButton kind="danger" question={texts.confirmRevoke(key.name)} act={() => revoke(key)}>
        {texts.revoke}
      </ActionButton>
    ),
  }
}

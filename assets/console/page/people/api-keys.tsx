/** The page of API keys, for programs. A key is shown only once, when it is created. */
import { KeyRound } from 'lucide'
import { useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { moment, plain } from '../../component/columns.tsx'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { ShownOnce } from '../../component/secret.tsx'
import { UserName } from '../../entity/user-reference.tsx'
import { text } from '../../text/text.ts'
import { userFinder } from '../finders.ts'
import { attributeText } from './attributes.tsx'
import { type ApiKey, type CreatedKey, NewApiKey } from './new-api-key.tsx'

const texts = text.administration.apiKeys
const { common, users } = text.administration
const path = '/api/api-keys'

const keys: Resource<ApiKey> = {
  path,
  title: texts.title,
  text: texts.text,
  icon: KeyRound,
  none: texts.none,
  isCounted: true,
  filters: [
    { name: 'name[icontains]', label: common.name, kind: 'text' },
    { name: 'actsFor', label: texts.actsFor, kind: userFinder },
  ],
  columns: [
    plain(common.name, 'name'),
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
    moment(common.expiresAt, 'expiresAt', common.never),
    moment(common.lastUsedAt, 'lastUsedAt', common.never),
  ],
}

export function ApiKeysPage() {
  const { can } = useApp()
  const list = useList<ApiKey>(keys)
  const [isOpen, setOpen] = useState(false)
  const [created, setCreated] = useState<CreatedKey | null>(null)
  const revoke = async ({ id }: ApiKey) => {
    await request('DELETE', `${path}/${id}`)
    if (created?.id === id) setCreated(null)
    list.reload()
  }
  return (
    <ListPage<ApiKey>
      resource={keys}
      list={list}
      action={
        can('apiKey:write') && (
          <button type="button" class="main" onClick={() => setOpen(true)}>
            {text.action.newRow(texts.one)}
          </button>
        )
      }
      actionsOf={
        can('apiKey:write') &&
        ((key) => (
          <ActionButton kind="danger" question={texts.confirmRevoke(key.name)} act={() => revoke(key)}>
            {texts.revoke}
          </ActionButton>
        ))
      }
    >
      {created !== null && (
        <ShownOnce title={texts.created(created.name)} hint={texts.once} value={created.key} />
      )}
      {isOpen && (
        <NewApiKey
          onClose={() => setOpen(false)}
          onCreated={(key) => {
            setCreated(key)
            setOpen(false)
            list.reload()
          }}
        />
      )}
    </ListPage>
  )
}

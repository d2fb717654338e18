/** The pages of portal sessions, in which customers of the tenant use the webhook pages. */
import { AppWindow } from 'lucide'
import { request } from '../../api.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { moment } from '../../component/columns.tsx'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'
import { NewPortalSession } from './new-portal-session.tsx'

const texts = text.webhook.portal
const path = '/api/webhooks/portal-sessions'

export interface OpenSession {
  id: string
  customer: string | null
  events: readonly string[] | null
  readOnly: boolean
  origins: readonly string[]
  expiresAt: string
  createdAt: string
}

export default function PortalSessionPages() {
  const [, , part] = usePlace().path.split('/')
  return part === 'new' ? <NewPortalSession path={path} /> : <PortalSessionList />
}

const sessions: Resource<OpenSession> = {
  path,
  title: texts.title,
  text: texts.explained,
  icon: AppWindow,
  none: texts.none,
  isCounted: true,
  filters: [
    { name: 'customer', label: texts.customer, kind: 'text' },
    {
      name: 'readOnly',
      label: texts.access,
      kind: [
        ['true', texts.readOnly],
        ['false', texts.full],
      ],
    },
  ],
  columns: [
    { label: texts.customer, show: ({ customer }) => customer ?? texts.everyCustomer },
    { label: texts.access, show: ({ readOnly }) => (readOnly ? texts.readOnly : texts.full) },
    { label: texts.origins, show: ({ origins }) => <span class="wrap">{origins.join(', ')}</span> },
    moment(text.webhook.created, 'createdAt'),
    moment(texts.endsAt, 'expiresAt'),
  ],
}

function PortalSessionList() {
  const list = useList<OpenSession>(sessions)
  const end = async ({ id }: OpenSession) => {
    await request('DELETE', `${path}/${id}`)
    list.reload()
  }
  return (
    <ListPage<OpenSession>
      resource={sessions}
      list={list}
      action={
        <a class="button main" href={hrefOf('/portal-sessions/new')}>
          {texts.create}
        </a>
      }
      actionsOf={(session) => (
        <ActionButton kind="danger" question={texts.endQuestion} act={() => end(session)}>
          {texts.end}
        </ActionButton>
      )}
    />
  )
}

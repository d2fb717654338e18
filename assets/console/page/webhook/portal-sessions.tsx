/** The sessions in which customers of the tenant see the pages of webhooks: those that are open, and a new one. */
import { request } from '../../api.ts'
import { ActionButton } from '../../component/action-button.tsx'
import type { Column } from '../../component/data-table.tsx'
import { hrefOf, usePlace } from '../../router.ts'
import { text } from '../../text/text.ts'
import { usePaged } from '../operation/paged.ts'
import { PagedTable } from '../operation/paged-table.tsx'
import { Moment } from './moment.tsx'
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

function PortalSessionList() {
  const loaded = usePaged<OpenSession>(path, {})
  const end = async ({ id }: OpenSession) => {
    await request('DELETE', `${path}/${id}`)
    loaded.reload()
  }
  return (
    <div class="stack">
      <div class="row">
        <h1>{texts.title}</h1>
        <a class="button main end" href={hrefOf('/portal-sessions/new')}>
          {texts.create}
        </a>
      </div>
      <p class="soft">{texts.explained}</p>
      <PagedTable
        label={texts.title}
        columns={[...columns, endColumn(end)]}
        loaded={loaded}
        none={texts.none}
      />
    </div>
  )
}

const columns: readonly Column<OpenSession>[] = [
  { label: texts.customer, show: ({ customer }) => customer ?? texts.everyCustomer },
  { label: texts.access, show: ({ readOnly }) => (readOnly ? texts.readOnly : texts.full) },
  { label: texts.origins, show: ({ origins }) => <span class="wrap">{origins.join(', ')}</span> },
  { label: text.webhook.created, show: ({ createdAt }) => <Moment value={createdAt} /> },
  { label: texts.endsAt, show: ({ expiresAt }) => <Moment value={expiresAt} /> },
]

function endColumn(end: (session: OpenSession) => Promise<void>): Column<OpenSession> {
  return {
    label: text.webhook.actions,
    show: (session) => (
      <ActionButton kind="danger" question={texts.endQuestion} act={() => end(session)}>
        {texts.end}
      </ActionButton>
    ),
  }
}

/** Sign-ups of tenants that wait for approval by the host. */
import { useState } from 'preact/hooks'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import type { Column } from '../../component/data-table.tsx'
import { Moment } from '../../component/moment.tsx'
import { Done } from '../../component/notice.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { usePaged } from '../operation/paged.ts'
import { PagedTable } from '../operation/paged-table.tsx'
import { RejectDialog } from './reject-dialog.tsx'
import type { SignUp } from './sign-up.ts'

const texts = text.access.signUps
const { common, tenants, users } = text.administration
const path = '/api/sign-ups'

interface Decision {
  name: string
  /** Of the new tenant; `null` if the sign-up was rejected. */
  tenantId: string | null
}

const columns: readonly Column<SignUp>[] = [
  { label: texts.tenant, show: ({ tenantName }) => tenantName },
  { label: tenants.subdomain, show: ({ subdomain }) => subdomain ?? text.state.none },
  {
    label: texts.applicant,
    show: ({ firstName, lastName, userName }) => `${firstName} ${lastName} (${userName})`,
  },
  { label: users.email, show: ({ email }) => email },
  { label: common.createdAt, show: ({ createdAt }) => <Moment value={createdAt} /> },
  { label: common.expiresAt, show: ({ expiresAt }) => <Moment value={expiresAt} /> },
]

export function SignUpsPage() {
  const { user, can } = useApp()
  const loaded = usePaged<SignUp>(path, {})
  const [rejecting, setRejecting] = useState<SignUp | null>(null)
  const [decision, setDecision] = useState<Decision | null>(null)
  const decide = (made: Decision) => {
    setDecision(made)
    setRejecting(null)
    loaded.reload()
  }
  const approve = async ({ id, tenantName: name }: SignUp) => {
    const { body } = await requestRecent<{ id: string }>('POST', `${path}/${id}/approve`)
    decide({ name, tenantId: body.id })
  }
  const actions: Column<SignUp> = {
    label: common.actions,
    show: (signUp) => (
      <span class="row">
        <ActionButton question={texts.confirmApprove(signUp.tenantName)} act={() => approve(signUp)}>
          {texts.approve}
        </ActionButton>
        <button type="button" class="danger" onClick={() => setRejecting(signUp)}>
          {texts.reject}
        </button>
      </span>
    ),
  }
  const mayDecide = can('sign-up:write') && user.impersonator === undefined
  return (
    <div class="stack">
      <h1>{texts.title}</h1>
      {decision !== null && <DecisionNotice decision={decision} />}
      <PagedTable
        label={texts.title}
        columns={mayDecide ? [...columns, actions] : columns}
        loaded={loaded}
        none={texts.none}
      />
      {rejecting !== null && (
        <RejectDialog
          signUp={rejecting}
          onClose={() => setRejecting(null)}
          onDone={() => decide({ name: rejecting.tenantName, tenantId: null })}
        />
      )}
    </div>
  )
}

function DecisionNotice({ decision: { name, tenantId } }: { decision: Decision }) {
  if (tenantId === null) return <Done>{texts.rejected(name)}</Done>
  return (
    <Done>
      {texts.approved(name)} <a href={hrefOf(`/tenants/${encodeURIComponent(tenantId)}`)}>{texts.open}</a>
    </Done>
  )
}

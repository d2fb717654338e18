/** The page of sign-ups: new tenants that wait for approval by the host. */
import { UserPlus } from 'lucide'
import { useState } from 'preact/hooks'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { moment, plain } from '../../component/columns.tsx'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { Done } from '../../component/notice.tsx'
import { requestRecent } from '../../component/step-up.tsx'
import { hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { RejectDialog } from './reject-dialog.tsx'
import type { SignUp } from './sign-up.ts'

const texts = text.access.signUps
const { common, tenants, users } = text.administration
const path = '/api/sign-ups'

interface Decision {
  name: string
  /** The id of the new tenant; `null` if the sign-up was rejected. */
  tenantId: string | null
}

const signUps: Resource<SignUp> = {
  path,
  title: texts.title,
  text: texts.text,
  icon: UserPlus,
  none: texts.none,
  isCounted: true,
  columns: [
    plain(texts.tenant, 'tenantName'),
    plain(tenants.subdomain, 'subdomain'),
    {
      label: texts.applicant,
      show: ({ firstName, lastName, userName }) => `${firstName} ${lastName} (${userName})`,
    },
    plain(users.email, 'email'),
    moment(common.createdAt, 'createdAt'),
    moment(common.expiresAt, 'expiresAt'),
  ],
}

export function SignUpsPage() {
  const { user, can } = useApp()
  const list = useList<SignUp>(signUps)
  const [rejecting, setRejecting] = useState<SignUp | null>(null)
  const [decision, setDecision] = useState<Decision | null>(null)
  const decide = (made: Decision) => {
    setDecision(made)
    setRejecting(null)
    list.reload()
  }
  const approve = async ({ id, tenantName: name }: SignUp) => {
    const { body } = await requestRecent<{ id: string }>('POST', `${path}/${id}/approve`)
    decide({ name, tenantId: body.id })
  }
  const mayDecide = can('sign-up:write') && user.impersonator === undefined
  return (
    <ListPage<SignUp>
      resource={signUps}
      list={list}
      actionsOf={
        mayDecide &&
        ((signUp) => (
          <>
            <ActionButton question={texts.confirmApprove(signUp.tenantName)} act={() => approve(signUp)}>
              {texts.approve}
            </ActionButton>
            <button type="button" class="danger" onClick={() => setRejecting(signUp)}>
              {texts.reject}
            </button>
          </>
        ))
      }
    >
      {decision !== null && <DecisionNotice decision={decision} />}
      {rejecting !== null && (
        <RejectDialog
          signUp={rejecting}
          onClose={() => setRejecting(null)}
          onDone={() => decide({ name: rejecting.tenantName, tenantId: null })}
        />
      )}
    </ListPage>
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

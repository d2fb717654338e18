import { useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { Field } from '../../component/field.tsx'
import { useForm } from '../../component/form-state.ts'
import { Loading } from '../../component/loading.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { ShownOnce } from '../../component/secret.tsx'
import { useLoaded } from '../../load.ts'
import type { PortalSession } from '../../portal.ts'
import { goTo, hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { EventChoice } from './event-choice.tsx'
import { type Draft, draftOf, emptyDraft, membersOf } from './subscription-draft.ts'
import type { Subscription } from './types.ts'

const { subscription } = text.webhook
const path = '/api/webhooks/subscriptions'

export function NewSubscription() {
  const { portal } = useApp()
  const [made, setMade] = useState<Subscription | null>(null)
  if (made !== null)
    return (
      <div class="stack">
        <h1>{subscription.created}</h1>
        <ShownOnce title={subscription.secret} hint={subscription.secretOnce} value={made.secret} />
        <div class="row">
          <a class="button main" href={hrefOf(`/subscriptions/${made.id}`)}>
            {text.webhook.noted}
          </a>
        </div>
      </div>
    )
  const create = async (draft: Draft) => {
    const { secret } = draft
    const body = { ...membersOf(draft), ...customerOf(draft, portal), ...(secret !== '' && { secret }) }
    setMade((await request<Subscription>('POST', path, { body })).body)
  }
  return (
    <div class="stack">
      <h1>{subscription.create}</h1>
      <SubscriptionForm
        initial={emptyDraft}
        isNew
        button={text.action.create}
        submit={create}
        cancelHref={hrefOf('/subscriptions')}
      />
    </div>
  )
}

export function EditSubscription({ id }: { id: string }) {
  const { portal } = useApp()
  const { data, error, reload } = useLoaded(id, (signal) =>
    request<Subscription>('GET', `${path}/${id}`, { signal }),
  )
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return <Loading />
  const etag = data.headers.get('etag')
  const href = hrefOf(`/subscriptions/${id}`)
  const save = async (draft: Draft) => {
    const headers = etag === null ? {} : { 'if-match': etag }
    const { events, ...members } = membersOf(draft)
    // Whoever names the events becomes the owner.
    const isSame = JSON.stringify(events) === JSON.stringify(data.body.events)
    const body = { ...members, ...(!isSame && { events }), ...customerOf(draft, portal) }
    await request('PATCH', `${path}/${id}`, { body, headers })
    goTo(href)
  }
  return (
    <div class="stack">
      <h1 class="wrap">{data.body.url}</h1>
      <SubscriptionForm
        initial={draftOf(data.body)}
        isNew={false}
        button={text.action.save}
        submit={save}
        cancelHref={href}
      />
    </div>
  )
}

/** The embedded pages are those of one customer already. */
function customerOf({ customer }: Draft, portal: PortalSession | undefined): { customer?: string | null } {
  return portal === undefined ? { customer: customer.trim() === '' ? null : customer.trim() } : {}
}

interface FormProps {
  initial: Draft
  isNew: boolean
  button: string
  /** @throws ApiError */
  submit: (draft: Draft) => Promise<void>
  cancelHref: string
}

function SubscriptionForm({ initial, isNew, button, submit, cancelHref }: FormProps) {
  const { portal } = useApp()
  const form = useForm(initial, submit)
  const { values: draft, isBusy, error, faults } = form
  const change = (members: Partial<Draft>) => form.change({ ...draft, ...members })
  const faultOf = (member: string) =>
    faults.find(({ pointer }) => pointer === `/${member}` || pointer.startsWith(`/${member}/`))?.reason ??
    null
  return (
    <form class="form" noValidate onSubmit={form.send}>
      {error !== null && <ErrorNotice error={error} />}
      <Field label={subscription.url} hint={subscription.urlHint} fault={faultOf('url')} isRequired>
        {(control) => (
          <input
            {...control}
            type="url"
            placeholder={'https://example.com/hooks'}
            value={draft.url}
            onInput={({ currentTarget }) => change({ url: currentTarget.value })}
          />
        )}
      </Field>
      <EventChoice
        events={draft.events}
        fault={faultOf('events')}
        onChange={(events) => change({ events })}
      />
      {portal === undefined && (
        <Field label={subscription.customer} hint={subscription.customerHint} fault={faultOf('customer')}>
          {(control) => (
            <input
              {...control}
              value={draft.customer}
              onInput={({ currentTarget }) => change({ customer: currentTarget.value })}
            />
          )}
        </Field>
      )}
      {isNew && (
        <Field label={subscription.secret} hint={subscription.secretHint} fault={faultOf('secret')}>
          {(control) => (
            <input
              {...control}
              type="password"
              autocomplete="new-password"
              value={draft.secret}
              onInput={({ currentTarget }) => change({ secret: currentTarget.value })}
            />
          )}
        </Field>
      )}
      <Field label={subscription.headers} hint={subscription.headersHint} fault={faultOf('headers')}>
        {(control) => (
          <textarea
            {...control}
            class="code"
            spellcheck={false}
            placeholder={'Authorization: Bearer …'}
            value={draft.headers}
            onInput={({ currentTarget }) => change({ headers: currentTarget.value })}
          />
        )}
      </Field>
      <Field label={subscription.retries} hint={subscription.retriesHint} fault={faultOf('retrySeconds')}>
        {(control) => (
          <input
            {...control}
            placeholder="5, 15, 60, 300, 900"
            value={draft.retries}
            onInput={({ currentTarget }) => change({ retries: currentTarget.value })}
          />
        )}
      </Field>
      <div class="row">
        <button type="submit" class="main" disabled={isBusy}>
          {button}
        </button>
        <a class="button" href={cancelHref}>
          {text.action.cancel}
        </a>
      </div>
    </form>
  )
}

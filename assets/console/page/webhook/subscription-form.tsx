import { useState } from 'preact/hooks'
import { type Answer, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ConflictDialog, type Difference } from '../../component/conflict.tsx'
import { Field } from '../../component/field.tsx'
import { type TypedForm, useForm } from '../../component/form-state.ts'
import { Loading } from '../../component/loading.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { ShownOnce } from '../../component/secret.tsx'
import { type Conflict, ifMatch, type Stored, useVersionedForm } from '../../component/versioned-form.ts'
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
  const form = useForm(emptyDraft, async (draft: Draft) => {
    const { secret } = draft
    const body = { ...membersOf(draft), ...customerOf(draft, portal), ...(secret !== '' && { secret }) }
    setMade((await request<Subscription>('POST', path, { body })).body)
  })
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
  return (
    <div class="stack">
      <h1>{subscription.create}</h1>
      <SubscriptionForm form={form} isNew button={text.action.create} cancelHref={hrefOf('/subscriptions')} />
    </div>
  )
}

export function EditSubscription({ id }: { id: string }) {
  const { data, error, reload } = useLoaded(id, () => loadStored(id))
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  return data === null ? <Loading /> : <ChangeForm id={id} stored={data} />
}

function ChangeForm({ id, stored }: { id: string; stored: Stored<Subscription> }) {
  const { portal } = useApp()
  const href = hrefOf(`/subscriptions/${id}`)
  const form = useVersionedForm<Subscription, Draft>({
    stored,
    valuesOf: draftOf,
    load: () => loadStored(id),
    save: async (draft, { value, etag }) => {
      const { events, ...members } = membersOf(draft)
      // Whoever names the events becomes the owner.
      const isSame = JSON.stringify(events) === JSON.stringify(value.events)
      const body = { ...members, ...(!isSame && { events }), ...customerOf(draft, portal) }
      const saved = await request<Subscription>('PATCH', `${path}/${id}`, { body, headers: ifMatch(etag) })
      goTo(href)
      return toStored(saved)
    },
  })
  const { conflict } = form
  return (
    <div class="stack">
      <h1 class="wrap">{stored.value.url}</h1>
      <SubscriptionForm form={form} isNew={false} button={text.action.save} cancelHref={href} />
      {conflict !== null && <ConflictDialog differences={differencesOf(conflict)} conflict={conflict} />}
    </div>
  )
}

async function loadStored(id: string): Promise<Stored<Subscription>> {
  return toStored(await request<Subscription>('GET', `${path}/${id}`))
}

function toStored({ body, headers }: Answer<Subscription>): Stored<Subscription> {
  return { value: body, etag: headers.get('etag') }
}

function differencesOf({ overlap, yours, theirs }: Conflict<Draft>): Difference[] {
  const names = (['url', 'events', 'customer', 'headers', 'retries'] as const).filter((name) =>
    overlap.includes(name),
  )
  return names.map((name) => ({
    name,
    label: subscription[name],
    yours: [yours[name]].flat().join(', '),
    theirs: [theirs[name]].flat().join(', '),
  }))
}

/** The embedded pages are those of one customer already. */
function customerOf({ customer }: Draft, portal: PortalSession | undefined): { customer?: string | null } {
  return portal === undefined ? { customer: customer.trim() === '' ? null : customer.trim() } : {}
}

interface FormProps {
  form: TypedForm<Draft>
  isNew: boolean
  button: string
  cancelHref: string
}

function SubscriptionForm({ form, isNew, button, cancelHref }: FormProps) {
  const { portal } = useApp()
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

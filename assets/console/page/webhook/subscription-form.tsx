/** The pages that create and change a subscription. */
import { Webhook } from 'lucide'
import { useState } from 'preact/hooks'
import { type Answer, get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ConflictDialog, type Difference } from '../../component/conflict.tsx'
import { FormLayout, type FormState, TextField } from '../../component/form.tsx'
import { type TypedForm, useForm } from '../../component/form-state.ts'
import { Loading } from '../../component/loading.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { ShownOnce } from '../../component/secret.tsx'
import { type Conflict, ifMatch, type Stored, useVersionedForm } from '../../component/versioned-form.ts'
import { titleOf } from '../../describe.ts'
import { loadPage } from '../../entity/rows.ts'
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
        <PageHead icon={Webhook} title={subscription.created} />
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
      <PageHead icon={Webhook} title={subscription.create} subtitle={subscription.text} />
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
    save: async (draft, { value, etag }, isAll) => {
      const { events, ...members } = membersOf(draft)
      // Unchanged events are not sent, because a request with events makes its sender the owner of the subscription.
      const isSame = JSON.stringify(events) === JSON.stringify(value.events)
      const body = { ...members, ...(!isSame && { events }), ...customerOf(draft, portal) }
      const saved = await request<Subscription>('PATCH', `${path}/${id}`, { body, headers: ifMatch(etag) })
      if (isAll()) goTo(href)
      return toStored(saved)
    },
  })
  const { conflict } = form
  return (
    <div class="stack">
      <PageHead icon={Webhook} title={stored.value.url} />
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
  const names = (['url', 'events', 'customer', 'headers', 'retrySeconds'] as const).filter((name) =>
    overlap.includes(name),
  )
  return names.map((name) => ({
    name,
    label: subscription[name],
    yours: [yours[name]].flat().join(', '),
    theirs: [theirs[name]].flat().join(', '),
  }))
}

/** @returns the customer for the request; nothing in a portal session, which belongs to one customer already */
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
  return (
    <FormLayout form={form} button={button} onCancel={() => goTo(cancelHref)} noValidate>
      {(state) => (
        <>
          <TextField
            form={state}
            name="url"
            label={subscription.url}
            hint={subscription.urlHint}
            placeholder={'https://example.com/hooks'}
            isRequired
          />
          <EventChoice
            events={state.values.events}
            fault={state.faultOf('events')}
            onChange={(events) => state.set({ events })}
          />
          {portal === undefined && <CustomerField form={state} />}
          {isNew && (
            <TextField
              form={state}
              name="secret"
              label={subscription.secret}
              hint={subscription.secretHint}
              type="password"
              autocomplete="new-password"
            />
          )}
          <TextField
            form={state}
            name="headers"
            label={subscription.headers}
            hint={subscription.headersHint}
            placeholder={'Authorization: Bearer …'}
            isCode
          />
          <TextField
            form={state}
            name="retrySeconds"
            label={subscription.retrySeconds}
            hint={subscription.retrySecondsHint}
            placeholder={'5, 15, 60, 300, 900'}
          />
        </>
      )}
    </FormLayout>
  )
}

const maxOffered = '200'

/** Offers the customers of other subscriptions, and the titles of rows of an entity `customer`, if there is one. */
function CustomerField({ form }: { form: FormState<Draft> }) {
  const { entities } = useApp()
  const entity = entities.find(({ name }) => name === 'customer')
  const { data } = useLoaded('customers', async (signal) => {
    const known = await get<Subscription[]>(path, { query: { limit: maxOffered }, signal })
    const rows = entity === undefined ? [] : (await loadPage(entity, { limit: maxOffered }, signal)).rows
    const named = known.flatMap(({ customer }): [string, string][] =>
      customer === null ? [] : [[customer, customer]],
    )
    const titled = rows.map((row): [string, string] => [
      row.id,
      entity === undefined ? '' : titleOf(entity, row),
    ])
    return [...new Map([...named, ...titled])]
  })
  return (
    <TextField
      form={form}
      name="customer"
      label={subscription.customer}
      hint={subscription.customerHint}
      options={data ?? []}
    />
  )
}

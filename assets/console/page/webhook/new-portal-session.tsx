/** The page that creates a portal session, which opens the webhook pages to a customer. Its address is shown once. */
import { AppWindow } from 'lucide'
import { useState } from 'preact/hooks'
import { request } from '../../api.ts'
import { Form, type FormState, TextField } from '../../component/form.tsx'
import { formatMoment } from '../../component/moment-in-words.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { CopyButton, ShownOnce } from '../../component/secret.tsx'
import { goTo, hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { EventChoice } from './event-choice.tsx'

const texts = text.webhook.portal

interface Values {
  customer: string
  origins: string
  minutes: string
  isFull: boolean
  events: readonly string[]
}

const empty: Values = { customer: '', origins: '', minutes: '15', isFull: false, events: [] }

interface Made {
  url: string
  expiresAt: string
}

export function NewPortalSession({ path }: { path: string }) {
  const [made, setMade] = useState<Made | null>(null)
  if (made !== null) return <Opened made={made} />
  const submit = async (values: Values) =>
    setMade((await request<Made>('POST', path, { body: inputOf(values) })).body)
  return (
    <div class="stack">
      <PageHead icon={AppWindow} title={texts.create} subtitle={texts.explained} />
      <Form
        initial={empty}
        button={texts.open}
        submit={submit}
        onCancel={() => goTo(hrefOf('/portal-sessions'))}
      >
        {(form) => <Fields form={form} />}
      </Form>
    </div>
  )
}

function Fields({ form }: { form: FormState<Values> }) {
  const { isFull, events } = form.values
  return (
    <>
      <TextField form={form} name="customer" label={texts.customer} hint={texts.customerHint} />
      <TextField form={form} name="origins" label={texts.origins} hint={texts.originsHint} isRequired />
      <TextField
        form={form}
        name="minutes"
        label={texts.minutes}
        hint={texts.minutesHint}
        type="number"
        isRequired
      />
      <label class="choice">
        <input
          type="checkbox"
          checked={isFull}
          onChange={({ currentTarget }) => form.set({ isFull: currentTarget.checked })}
        />
        {texts.mayChange}
      </label>
      {isFull && (
        <EventChoice
          events={events}
          fault={form.faultOf('events')}
          hint={texts.eventsHint}
          isRequired={false}
          onChange={(chosen) => form.set({ events: chosen })}
        />
      )}
    </>
  )
}

function Opened({ made: { url, expiresAt } }: { made: Made }) {
  const snippet = `<iframe title="Webhooks" src="${url}" allow="clipboard-write"></iframe>`
  return (
    <div class="stack">
      <PageHead icon={AppWindow} title={texts.opened} />
      <ShownOnce title={texts.address} hint={texts.addressOnce(formatMoment(expiresAt))} value={url} />
      <section class="card stack">
        <h2>{texts.snippet}</h2>
        <p class="soft">{texts.snippetHint}</p>
        <div class="row">
          <code>{snippet}</code>
          <CopyButton value={snippet} />
        </div>
      </section>
      <div class="row">
        <a class="button main" href={hrefOf('/portal-sessions')}>
          {text.webhook.noted}
        </a>
      </div>
    </div>
  )
}

function inputOf({ customer, origins, minutes, isFull, events }: Values) {
  const name = customer.trim()
  return {
    customer: name === '' ? null : name,
    origins: origins.split(/[\s,]+/).filter((each) => each !== ''),
    minutes: Number(minutes),
    readOnly: !isFull,
    ...(isFull && events.length > 0 && { events }),
  }
}

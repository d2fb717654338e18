import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { figure, moment, status } from '../../component/columns.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { Loading } from '../../component/loading.tsx'
import { MomentInWords } from '../../component/moment-in-words.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { StatusBadge } from '../../component/status-badge.tsx'
import { useLoaded } from '../../load.ts'
import { hrefOf } from '../../router.ts'
import { text } from '../../text/text.ts'
import { Headers } from './attempt.tsx'
import type { ReceiptWithRuns, Run } from './types.ts'

const { receipt: words } = text.webhook

export function ReceiptDetail({ id }: { id: string }) {
  const { can } = useApp()
  const path = `/api/webhooks/receipts/${id}`
  const loaded = useLoaded<ReceiptWithRuns>(id, (signal) => get(path, { signal }))
  const { data, error, reload } = loaded
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return <Loading />
  const replay = async (all: boolean) => {
    await request('POST', `${path}/replay`, { body: { all } })
    reload()
  }
  return (
    <div class="stack">
      <p>
        <a href={hrefOf('/receipts')}>{text.navigation.receipts}</a>
      </p>
      <div class="row">
        <h1>{data.eventType ?? words.noType}</h1>
        <StatusBadge word={data.status} />
        {can('incomingWebhook:write') && (
          <span class="end row">
            <ActionButton kind="main" act={() => replay(false)}>
              {words.replay}
            </ActionButton>
            <ActionButton act={() => replay(true)} question={words.confirmAll}>
              {words.replayAll}
            </ActionButton>
          </span>
        )}
      </div>
      <p class="notice">{words.meanings[data.status]}</p>
      <section class="stack" aria-label={words.runs}>
        <h2>{words.runs}</h2>
        <DataTable
          label={words.runs}
          columns={runColumns}
          loaded={{ ...loaded, data: data.runs }}
          keyOf={(run) => run.id}
          empty={<p>{words.noRuns}</p>}
        />
      </section>
      <Values receipt={data} />
      <section class="card stack">
        <h2>{words.message}</h2>
        <Headers title={text.webhook.attempt.requestHeaders} headers={data.headers} />
        <pre>{bodyOf(data)}</pre>
      </section>
    </div>
  )
}

function Values({
  receipt: { provider, eventId, receivedAt, hops, verification },
}: {
  receipt: ReceiptWithRuns
}) {
  return (
    <dl class="values card">
      <dt>{text.webhook.provider.name}</dt>
      <dd>{provider}</dd>
      <dt>{words.eventId}</dt>
      <dd>
        <code>{eventId ?? text.state.none}</code>
      </dd>
      <dt>{words.received}</dt>
      <dd>
        <MomentInWords value={receivedAt} />
      </dd>
      <dt>{words.verification}</dt>
      <dd>{words.verified(verification.scheme, verification.secret === 'former')}</dd>
      <dt>{words.hops}</dt>
      <dd>{hops}</dd>
    </dl>
  )
}

/** Compact JSON is indented if that loses nothing, such as digits; anything else is shown as received. */
function bodyOf({ body, bodyEncoding }: ReceiptWithRuns): string {
  if (bodyEncoding === 'base64') return body
  try {
    const parsed: unknown = JSON.parse(body)
    return JSON.stringify(parsed) === body ? JSON.stringify(parsed, null, 2) : body
  } catch {
    return body
  }
}

const runColumns: readonly Column<Run>[] = [
  { label: text.webhook.rule.action, show: ({ action }) => <code>{action}</code> },
  status(text.webhook.status, 'status'),
  figure(text.webhook.delivery.attempts, 'attempts'),
  { label: words.error, show: ({ error }) => error ?? <span class="soft">{text.state.none}</span> },
  moment(text.webhook.delivery.nextAttempt, 'nextAttemptAt'),
  moment(words.started, 'startedAt'),
  moment(text.webhook.delivery.finished, 'finishedAt'),
]

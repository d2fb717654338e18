/** The page of a received webhook: its headers, its body, and the actions that ran for it. */
import { Inbox } from 'lucide'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { figure, moment, status } from '../../component/columns.tsx'
import { type Column, DataTable } from '../../component/data-table.tsx'
import { Loading } from '../../component/loading.tsx'
import { MomentInWords } from '../../component/moment-in-words.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { PageHead } from '../../component/page-head.tsx'
import { StatusBadge } from '../../component/status-badge.tsx'
import { Values } from '../../component/values.tsx'
import { useLoaded } from '../../load.ts'
import { useTitle } from '../../shell/title.ts'
import { text } from '../../text/text.ts'
import { Headers } from './attempt.tsx'
import type { ReceiptWithRuns, Run } from './types.ts'

const { receipt: words } = text.webhook

export function ReceiptDetail({ id }: { id: string }) {
  const { can } = useApp()
  const path = `/api/webhooks/receipts/${id}`
  const loaded = useLoaded<ReceiptWithRuns>(id, (signal) => get(path, { signal }))
  const { data, error, reload } = loaded
  useTitle(data === null ? null : (data.eventType ?? words.noType))
  if (error !== null) return <ErrorNotice error={error} retry={reload} />
  if (data === null) return <Loading />
  /** Runs the actions that failed again. @param all those that succeeded as well, which changes data a second time */
  const replay = async (all: boolean) => {
    await request('POST', `${path}/replay`, { body: { all } })
    reload()
  }
  return (
    <div class="stack">
      <PageHead
        icon={Inbox}
        title={data.eventType ?? words.noType}
        badges={<StatusBadge word={data.status} />}
        subtitle={words.meanings[data.status]}
      >
        {can('incomingWebhook:write') && (
          <>
            <ActionButton act={() => replay(true)} question={words.confirmAll}>
              {words.replayAll}
            </ActionButton>
            <ActionButton kind="main" act={() => replay(false)}>
              {words.replay}
            </ActionButton>
          </>
        )}
      </PageHead>
      <section class="card bare-table">
        <div class="row">
          <h2>{words.runs}</h2>
        </div>
        <DataTable
          label={words.runs}
          columns={runColumns}
          loaded={{ ...loaded, data: data.runs }}
          keyOf={(run) => run.id}
          empty={<p>{words.noRuns}</p>}
        />
      </section>
      <Facts receipt={data} />
      <section class="card stack">
        <h2>{words.message}</h2>
        <Headers title={text.webhook.attempt.requestHeaders} headers={data.headers} />
        <pre>{bodyOf(data)}</pre>
      </section>
    </div>
  )
}

function Facts({
  receipt: { provider, eventId, receivedAt, hops, verification },
}: {
  receipt: ReceiptWithRuns
}) {
  return (
    <Values
      isCard
      values={[
        [text.webhook.provider.name, provider],
        [words.eventId, eventId !== null && <code key="event">{eventId}</code>],
        [words.received, <MomentInWords key="received" value={receivedAt} />],
        [words.verification, words.verified(verification.scheme, verification.secret === 'former')],
        [words.hops, hops],
      ]}
    />
  )
}

/** @returns the body, with compact JSON indented unless that would change it, such as digits of large numbers */
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

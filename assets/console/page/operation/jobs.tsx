/** Work in the background: what waits, what failed, and another attempt. */
import { useState } from 'preact/hooks'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import type { Column } from '../../component/data-table.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { Moment } from '../../component/moment.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'
import { type Filter, Filters, useFilters } from './filters.tsx'
import { usePaged } from './paged.ts'
import { PagedTable } from './paged-table.tsx'
import { StatusBadge } from './status-badge.tsx'

const texts = text.administration.jobs
const { common } = text.administration

interface Job {
  id: string
  name: string
  key: string | null
  status: string
  attempts: number
  error: string | null
  nextAttemptAt: string | null
  createdAt: string
  finishedAt: string | null
}

const filters: readonly Filter[] = [
  { name: 'status', label: common.state, values: ['PENDING', 'RUNNING', 'FAILING', 'SUCCEEDED', 'DEAD'] },
  { name: 'name', label: common.name },
]

export function JobsPage() {
  const { can } = useApp()
  const loaded = usePaged<Job>('/api/jobs', useFilters(filters))
  const [opened, setOpened] = useState<string | null>(null)
  const retry = async ({ id }: Job) => {
    await request('POST', `/api/jobs/${id}/retry`)
    loaded.reload()
  }
  const columns: Column<Job>[] = [
    {
      label: common.name,
      show: ({ id, name }) => (
        <button type="button" class="link" onClick={() => setOpened(id)}>
          {name}
        </button>
      ),
    },
    { label: texts.key, show: ({ key }) => key ?? <span class="soft">{text.state.none}</span> },
    { label: common.state, show: ({ status }) => <StatusBadge status={status} /> },
    { label: common.attempts, show: ({ attempts }) => attempts, isNumber: true },
    { label: common.error, show: ({ error }) => error ?? <span class="soft">{text.state.none}</span> },
    { label: texts.next, show: ({ nextAttemptAt }) => <Moment value={nextAttemptAt} /> },
    { label: common.createdAt, show: ({ createdAt }) => <Moment value={createdAt} /> },
  ]
  if (can('job:write'))
    columns.push({
      label: common.actions,
      show: (job) =>
        job.status === 'DEAD' || job.status === 'FAILING' ? (
          <ActionButton act={() => retry(job)}>{text.action.retry}</ActionButton>
        ) : null,
    })
  return (
    <div class="stack">
      <div class="row">
        <h1>{texts.title}</h1>
        <button type="button" class="end" onClick={loaded.reload}>
          {common.reload}
        </button>
      </div>
      <Filters path="/jobs" filters={filters} />
      <PagedTable label={texts.title} columns={columns} loaded={loaded} none={texts.none} />
      {opened !== null && <JobDialog id={opened} onClose={() => setOpened(null)} />}
    </div>
  )
}

function JobDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const path = `/api/jobs/${id}`
  const { data, error, reload } = useLoaded(path, (signal) => get<Job & { data: unknown }>(path, { signal }))
  return (
    <Dialog title={data?.name ?? text.state.loading} onClose={onClose}>
      {error !== null && <ErrorNotice error={error} retry={reload} />}
      {data !== null && (
        <>
          <dl class="values">
            <dt>{common.state}</dt>
            <dd>
              <StatusBadge status={data.status} />
            </dd>
            <dt>{texts.finished}</dt>
            <dd>
              <Moment value={data.finishedAt} />
            </dd>
            <dt>{common.error}</dt>
            <dd>{data.error ?? text.state.none}</dd>
          </dl>
          <h3>{texts.data}</h3>
          <pre>{JSON.stringify(data.data, null, 2)}</pre>
        </>
      )}
      <div class="row">
        <button type="button" onClick={onClose}>
          {text.action.close}
        </button>
      </div>
    </Dialog>
  )
}

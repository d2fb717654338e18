/** The page of background jobs: waiting and failed jobs, which can be tried again. */
import { ListChecks } from 'lucide'
import { useState } from 'preact/hooks'
import { get, request } from '../../api.ts'
import { useApp } from '../../app-context.ts'
import { ActionButton } from '../../component/action-button.tsx'
import { figure, moment, plain, status } from '../../component/columns.tsx'
import { Dialog } from '../../component/dialog.tsx'
import { useList } from '../../component/list.ts'
import { ListPage, type Resource } from '../../component/list-page.tsx'
import { MomentInWords } from '../../component/moment-in-words.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { StatusBadge, statusChoices } from '../../component/status-badge.tsx'
import { Values } from '../../component/values.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'

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

const jobs: Resource<Job> = {
  path: '/api/jobs',
  title: texts.title,
  text: texts.text,
  icon: ListChecks,
  none: texts.none,
  filters: [
    {
      name: 'status',
      label: common.state,
      kind: statusChoices(['PENDING', 'RUNNING', 'FAILING', 'SUCCEEDED', 'DEAD']),
    },
    { name: 'name', label: common.name, kind: 'text' },
  ],
  columns: [
    plain(common.name, 'name'),
    plain(texts.key, 'key'),
    status(common.state, 'status'),
    figure(common.attempts, 'attempts'),
    plain(common.error, 'error'),
    moment(texts.next, 'nextAttemptAt'),
    moment(common.createdAt, 'createdAt'),
  ],
}

export function JobsPage() {
  const { can } = useApp()
  const list = useList<Job>(jobs)
  const [opened, setOpened] = useState<string | null>(null)
  const retry = async ({ id }: Job) => {
    await request('POST', `/api/jobs/${id}/retry`)
    list.reload()
  }
  return (
    <ListPage<Job>
      resource={jobs}
      list={list}
      onOpen={({ id }) => setOpened(id)}
      actionsOf={
        can('job:write') &&
        ((job) =>
          (job.status === 'DEAD' || job.status === 'FAILING') && (
            <ActionButton act={() => retry(job)}>{text.action.retry}</ActionButton>
          ))
      }
    >
      {opened !== null && <JobDialog id={opened} onClose={() => setOpened(null)} />}
    </ListPage>
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
          <Values
            values={[
              [common.state, <StatusBadge key="state" word={data.status} />],
              [texts.finished, <MomentInWords key="finished" value={data.finishedAt} />],
              [common.error, data.error],
            ]}
          />
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

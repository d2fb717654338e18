/** The section of the gallery with states, notices, dialogs and toasts. */
import { useState } from 'preact/hooks'
import { ActingBanner } from '../component/acting-banner.tsx'
import { choose } from '../component/confirm-dialog.tsx'
import { ConflictDialog } from '../component/conflict.tsx'
import { Loading } from '../component/loading.tsx'
import { Done, Empty, ErrorNotice } from '../component/notice.tsx'
import { Badge, StatusBadge } from '../component/status-badge.tsx'
import { toast, toastError } from '../component/toast.tsx'
import { failure, long, nothing, refusal, rightToLeft } from './sample.ts'
import { Section, Specimen } from './specimen.tsx'

const words = {
  title: 'States and messages',
  done: 'Saved',
  warn: 'This row was changed by somebody else.',
  none: 'There are no tickets yet.',
  question: 'Delete 2 tickets?',
  detail: '3 comments refer to them.',
  verb: 'Delete',
  conflict: 'Conflict',
  toast: 'Toast',
  failedToast: 'Toast of an error',
}
const statuses = ['SUCCEEDED', 'FAILING', 'DEAD', 'RUNNING', 'PENDING']
const tones = ['good', 'warn', 'bad', 'info', undefined] as const
const differences = [
  { name: 'subject', label: 'Subject', yours: 'Printer on fire', theirs: long },
  { name: 'budget', label: 'Budget', yours: '10.00', theirs: '20.00' },
]

export function Feedback() {
  return (
    <Section title={words.title}>
      <div class="gallery">
        <Specimen name="error, with a retry">
          <ErrorNotice error={failure} retry={nothing} />
        </Specimen>
        <Specimen name="error, refused">
          <ErrorNotice error={refusal} />
        </Specimen>
        <Specimen name="error, long text">
          <ErrorNotice error={new Error(long)} />
        </Specimen>
        <Specimen name="error, right to left" direction="rtl">
          <ErrorNotice error={new Error(rightToLeft)} retry={nothing} />
        </Specimen>
        <Specimen name="done">
          <Done>{words.done}</Done>
        </Specimen>
        <Specimen name="warning">
          <p class="notice warn">{words.warn}</p>
        </Specimen>
        <Specimen name="empty">
          <Empty>
            <p>{words.none}</p>
          </Empty>
        </Specimen>
        <Specimen name="loading">
          <Loading />
        </Specimen>
        <Specimen name="badges">
          <div class="row">
            {statuses.map((word) => (
              <StatusBadge key={word} word={word} />
            ))}
            {tones.map((tone) => (
              <Badge key={tone} tone={tone}>
                {tone ?? long}
              </Badge>
            ))}
          </div>
        </Specimen>
        <Specimen name="acting as somebody">
          {/* The sample user is one as whom an administrator acts. */}
          <ActingBanner />
        </Specimen>
        <Specimen name="dialogs and toasts">
          <Openers />
        </Specimen>
      </div>
    </Section>
  )
}

function Openers() {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  const ask = () =>
    choose({
      title: words.question,
      detail: words.detail,
      choices: [{ value: 'yes', label: words.verb, kind: 'danger' }],
    })
  return (
    <div class="row">
      <button type="button" onClick={() => void ask()}>
        {words.question}
      </button>
      <button type="button" onClick={() => setOpen(true)}>
        {words.conflict}
      </button>
      <button type="button" onClick={() => toast(words.done, { undo: nothing })}>
        {words.toast}
      </button>
      <button type="button" onClick={() => toastError(failure)}>
        {words.failedToast}
      </button>
      {isOpen && (
        <ConflictDialog differences={differences} conflict={{ resolve: close, keepTheirs: close, close }} />
      )}
    </div>
  )
}

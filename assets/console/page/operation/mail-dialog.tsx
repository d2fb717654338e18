/** The dialog for a mail: its state and, in development, its content. */
import { ApiError, get } from '../../api.ts'
import { Dialog } from '../../component/dialog.tsx'
import { MomentInWords } from '../../component/moment-in-words.tsx'
import { ErrorNotice } from '../../component/notice.tsx'
import { StatusBadge } from '../../component/status-badge.tsx'
import { Values } from '../../component/values.tsx'
import { useLoaded } from '../../load.ts'
import { text } from '../../text/text.ts'

const texts = text.administration.mails
const { common } = text.administration

export interface Mail {
  id: string
  template: string
  recipient: string
  status: string
  attempts: number
  error: string | null
  isRetriable: boolean
  createdAt: string
  sentAt: string | null
}

interface MailContent {
  subject: string
  text: string
  links: readonly { label: string; url: string }[]
}

export function MailDialog({ mail, onClose }: { mail: Mail; onClose: () => void }) {
  const { data, error, reload } = useLoaded(mail.id, (signal) => loadContent(mail.id, signal))
  return (
    <Dialog title={data?.subject ?? mail.recipient} onClose={onClose}>
      <Values
        values={[
          [texts.recipient, mail.recipient],
          [texts.template, <code key="template">{mail.template}</code>],
          [common.state, <StatusBadge key="state" word={mail.status} />],
          [texts.sentAt, <MomentInWords key="sent" value={mail.sentAt} />],
          mail.error !== null && [common.error, mail.error],
        ]}
      />
      {error !== null && <ErrorNotice error={error} retry={reload} />}
      {data !== null && <pre>{data.text}</pre>}
      <div class="row">
        {data?.links.map(({ label, url }) => (
          <a key={url} href={url} target="_blank" rel="noreferrer" class="button main">
            {label}
          </a>
        ))}
        <button type="button" onClick={onClose}>
          {text.action.close}
        </button>
      </div>
    </Dialog>
  )
}

/**
 * @returns `null` if the content is not available: it is stored only in development, and hidden while impersonating
 *   a user
 */
async function loadContent(id: string, signal: AbortSignal): Promise<MailContent | null> {
  try {
    return await get<MailContent>(`/api/mails/${id}/content`, { signal })
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return null
    throw error
  }
}

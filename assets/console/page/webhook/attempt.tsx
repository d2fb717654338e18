/** An attempt to deliver a webhook: the request, the reply, and the duration. */
import { MomentInWords } from '../../component/moment-in-words.tsx'
import { Values } from '../../component/values.tsx'
import { text } from '../../text/text.ts'
import type { Attempt } from './types.ts'

const { attempt: words } = text.webhook

export function AttemptCard({ attempt }: { attempt: Attempt }) {
  const { number, startedAt, durationMs, outcome, errorClass, status } = attempt
  const isGood = outcome === 'success'
  return (
    <article class="card stack" aria-label={words.title(number)}>
      <div class="row">
        <h3>{words.title(number)}</h3>
        <span class={isGood ? 'badge good' : 'badge bad'}>{isGood ? words.success : words.failure}</span>
        {status !== null && <span class="badge">{`HTTP ${status}`}</span>}
        <span class="soft">{words.duration(durationMs)}</span>
        <span class="end soft">
          <MomentInWords value={startedAt} />
        </span>
      </div>
      {errorClass !== null && (
        <p>
          <code>{errorClass}</code> {words.errorClasses[errorClass]}
        </p>
      )}
      <Headers title={words.requestHeaders} headers={attempt.requestHeaders} />
      {status !== null && (
        <>
          <Headers title={words.responseHeaders} headers={attempt.responseHeaders} />
          <details open={attempt.responseExcerpt !== ''}>
            <summary>{words.responseBody}</summary>
            {attempt.responseExcerpt === '' ? (
              <p class="soft">{words.emptyBody}</p>
            ) : (
              <pre>{attempt.responseExcerpt}</pre>
            )}
          </details>
        </>
      )}
    </article>
  )
}

interface HeadersProps {
  title: string
  headers: Readonly<Record<string, string>>
}

export function Headers({ title, headers }: HeadersProps) {
  const entries = Object.entries(headers)
  return (
    <details>
      <summary>
        {title} <span class="soft">({entries.length})</span>
      </summary>
      <Values values={entries.map(([name, value]) => [name, <code key={name}>{value}</code>])} />
    </details>
  )
}

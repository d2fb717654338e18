/** Notices: an error with its request id and a button to try again, an empty list, a success. */
import type { ComponentChildren } from 'preact'
import { ApiError } from '../api.ts'
import { text } from '../text/text.ts'

export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : text.state.failed
  if (error.status === 0) return text.state.offline
  return error.message
}

export function ErrorNotice({ error, retry }: { error: unknown; retry?: () => void }) {
  const requestId = error instanceof ApiError ? error.requestId : null
  return (
    <div class="notice bad stack" role="alert">
      <p>{messageOf(error)}</p>
      {(requestId !== null || retry !== undefined) && (
        <div class="row">
          {requestId !== null && <code class="soft">{text.state.request(requestId)}</code>}
          {retry !== undefined && (
            <button type="button" class="end" onClick={retry}>
              {text.action.retry}
            </button>
          )}
        </div>
      )}
    </div>
  )
}

export function Empty({ children }: { children: ComponentChildren }) {
  return <div class="empty stack">{children}</div>
}

export function Done({ children }: { children: ComponentChildren }) {
  return (
    <p class="notice" role="status">
      {children}
    </p>
  )
}

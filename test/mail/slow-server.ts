/** A mail server that takes its time, and remembers each attempt. */
import { text } from 'node:stream/consumers'
import { startMailServer } from '../support/mail/mail-server.ts'

export interface MailAttempt {
  from: string
  to: string
  beganAtMs: number
  /** When the server replied, or the connection ended; `null` before. */
  endedAtMs: number | null
  /** Whether the server has replied that it took the mail. */
  isTaken: boolean
}

export interface SlowServer extends AsyncDisposable {
  url: string
  attempts: MailAttempt[]
}

/** @param mayReply called with each mail that has arrived; the server takes it when the promise resolves */
export async function startSlowServer(
  mayReply: (attempt: MailAttempt) => Promise<unknown>,
): Promise<SlowServer> {
  const attempts: MailAttempt[] = []
  const running = new Map<string, MailAttempt>() // by session
  const end = (sessionId: string, isTaken: boolean): void => {
    const attempt = running.get(sessionId)
    running.delete(sessionId)
    if (attempt !== undefined) Object.assign(attempt, { isTaken, endedAtMs: Date.now() })
  }
  const server = await startMailServer({
    onRcptTo: ({ address: to }, { id, envelope: { mailFrom } }, done) => {
      const from = mailFrom === false ? '' : mailFrom.address
      const attempt = { from, to, beganAtMs: Date.now(), endedAtMs: null, isTaken: false }
      attempts.push(attempt)
      running.set(id, attempt)
      done()
    },
    onData: (stream, { id }, done) => {
      const attempt = running.get(id)
      if (attempt === undefined) return
      const reply = (): void => {
        if (running.get(id) !== attempt) return
        end(id, true)
        done()
      }
      void text(stream)
        .then(() => mayReply(attempt))
        .then(reply, () => undefined) // the connection may end in the middle of a mail
    },
    onClose: ({ id }) => end(id, false),
  })
  return {
    url: `smtp://127.0.0.1:${server.port}`,
    attempts,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

export function isRunning({ endedAtMs }: MailAttempt): boolean {
  return endedAtMs === null
}

/** @returns how often the server has taken a mail, by recipient */
export function timesTaken(attempts: readonly MailAttempt[]): Map<string, number> {
  const times = new Map<string, number>()
  for (const { to, isTaken } of attempts) if (isTaken) times.set(to, (times.get(to) ?? 0) + 1)
  return times
}

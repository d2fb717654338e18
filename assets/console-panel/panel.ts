/**
 * The script for the page inside a panel. `tenantry.connect()` returns the data that the console sends and functions
 * that call the console.
 */

/** What the console sends first. */
interface Init {
  theme: 'system' | 'light' | 'dark'
  tokens: Readonly<Record<string, string>>
  language: string
  tenant: { id: string; name: string }
  user: Readonly<Record<string, unknown>>
  permissions: readonly string[]
  entity: string | null
  row: Readonly<Record<string, unknown>> | null
}

interface Reply {
  status: number
  body: unknown
}

/** A later message of the console: another row, another look, or the reply to the request with this id. */
type Told = Partial<Init> & { type: 'row' | 'theme' | 'reply'; id?: number } & Partial<Reply>

/** Resolves the requests that have no reply yet, by their ids. */
const waiting = new Map<number, (reply: Reply) => void>()
const listeners = new Map<string, (told: Told) => void>()
let lastId = 0

function connected(init: Init, port: MessagePort) {
  const send = (type: string, value?: unknown) => port.postMessage({ type, value })
  port.onmessage = ({ data }: MessageEvent<Told>) => {
    if (data.type === 'theme') wear(data)
    if (data.type === 'row') panel.row = data.row ?? null
    if (data.type !== 'reply') return listeners.get(data.type)?.(data)
    waiting.get(data.id ?? 0)?.({ status: data.status ?? 0, body: data.body })
    waiting.delete(data.id ?? 0)
  }
  const panel = {
    ...init,
    /** @returns the status and the body of the reply, also of a refusal; status 0 if there is no reply */
    request: (method: string, path: string, body?: unknown) =>
      new Promise<Reply>((resolve) => {
        lastId += 1
        waiting.set(lastId, resolve)
        port.postMessage({ type: 'request', id: lastId, method, path, body })
      }),
    goTo: (path: string) => send('goTo', path),
    toast: (words: string) => send('toast', words),
    /** Reports whether the page has typed values that are not saved, so that the console asks before it is left. */
    dirty: (isDirty: boolean) => send('dirty', isDirty),
    saved: () => send('saved'),
    openPalette: () => send('openPalette'),
    /** Sets the function for messages of a type, in place of the one before. */
    on: (type: 'row' | 'theme', notify: (told: Told) => void) => listeners.set(type, notify),
  }
  wear(init)
  new ResizeObserver(() => send('resize', document.documentElement.offsetHeight)).observe(
    document.documentElement,
  )
  addEventListener('keydown', (event) => {
    if (event.key !== 'k' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    panel.openPalette()
  })
  return panel
}

/** Gives the page the look and the language of the console. */
function wear({ theme, tokens, language }: Partial<Init>): void {
  const { dataset, style } = document.documentElement
  if (theme !== undefined) dataset['theme'] = theme
  if (language !== undefined) document.documentElement.lang = language
  for (const [name, value] of Object.entries(tokens ?? {})) style.setProperty(name, value)
}

const connection = new Promise<ReturnType<typeof connected>>((resolve) => {
  const take = ({ source, data, ports: [port] }: MessageEvent) => {
    if (source !== parent || data?.protocol !== 'tenantry.panel/1' || port === undefined) return
    removeEventListener('message', take)
    resolve(connected(data, port))
  }
  addEventListener('message', take)
})

Object.assign(globalThis, { tenantry: { connect: () => connection } })

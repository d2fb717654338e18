/**
 * The protocol `tenantry.panel/1` between the console and the page in a frame. That page has no token; the console
 * sends its requests to the API for it.
 */
import { ApiError, type Method, request } from '../api.ts'
import { noteRequest } from '../page-requests.ts'

const protocol = 'tenantry.panel/1'
const methods: readonly unknown[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[]
/** Endpoints whose replies contain tokens or keys, with which the page could act without the console. */
const secretEndpoints =
  /^\w+ \/api\/auth\/|\/impersonate(\?|$)|^POST \/api\/(api-keys|webhooks\/portal-sessions)(\?|$)/
/** Allows only paths without percent encoding, so that the patterns here see the path as the service does. */
const unencodedPath = /^[^?%]+(\?|$)/
const maxRequests = 20
/** The maximum number of calls in a period that show something to the user. */
const maxCalls = 20
const periodMs = 1000

/** The actions of the console that the page in the frame can call, other than requests. */
export interface ConsoleActions {
  /** @param path below the console */
  goTo: (path: string) => void
  toast: (words: string) => void
  resize: (height: number) => void
  dirty: (isDirty: boolean) => void
  saved: () => void
  openPalette: () => void
}

export interface Channel {
  tell: (message: { type: 'row' | 'theme' } & Readonly<Record<string, unknown>>) => void
  close: () => void
}

interface Message {
  type?: unknown
  id?: unknown
  method?: unknown
  path?: unknown
  body?: unknown
  value?: unknown
}

interface Reply {
  status: number
  body: unknown
}

/** @param init the data of the first message to the page in the frame */
export function openChannel(
  inside: Window,
  init: Readonly<Record<string, unknown>>,
  actions: ConsoleActions,
): Channel {
  const { port1: port, port2 } = new MessageChannel()
  const requests: number[] = []
  const callTimes: number[] = []
  port.onmessage = ({ data }: MessageEvent<Message | null | undefined>) => {
    if (data?.type === 'request')
      void answer(data, requests).then((reply) => port.postMessage({ type: 'reply', id: data.id, ...reply }))
    else if (data != null) call(data, actions, callTimes)
  }
  // The frame has no origin, so that the target must be `*`. The policy of this page lets it show only files of the
  // service.
  inside.postMessage({ protocol, ...init }, '*', [port2])
  return { tell: (message) => port.postMessage(message), close: () => port.close() }
}

/** @param callTimes the times of the last calls that the user saw; more calls in the same second are ignored */
function call(message: Message, actions: ConsoleActions, callTimes: number[]): void {
  const { type, value } = message
  if (type === 'resize') actions.resize(Number(value) || 0)
  else if (type === 'dirty') actions.dirty(value === true)
  else if (!isTooOften(callTimes, maxCalls)) callVisibly(message, actions)
}

function callVisibly({ type, value }: Message, actions: ConsoleActions): void {
  if (type === 'goTo') {
    const path = addressBelow('/', value)
    if (path !== null) actions.goTo(path)
  } else if (type === 'toast') actions.toast(String(value).slice(0, 300))
  else if (type === 'saved' || type === 'openPalette') actions[type]()
}

async function answer({ method, path, body }: Message, requests: number[]): Promise<Reply> {
  const address = addressBelow('/api/', path)
  if (address === null || !unencodedPath.test(address) || !methods.includes(method))
    return refusal(400, 'Only plain paths under /api/ are requested.')
  if (secretEndpoints.test(`${method} ${address}`))
    return refusal(403, 'Tokens and keys stay in the console.')
  if (!hasJson(body)) return refusal(400, 'The body has no text in JSON.')
  if (isTooOften(requests, maxRequests))
    return refusal(429, `At most ${maxRequests} requests a second are sent.`)
  if (method !== 'GET') noteRequest({ method: String(method), path: address, body })
  try {
    const reply = await request(method as Method, address, { body }) // it is one of them
    return { status: 200, body: reply.body }
  } catch (error) {
    if (!(error instanceof ApiError)) return refusal(0, 'The reply cannot be read as JSON.')
    return { status: error.status, body: { message: error.message, errors: error.faults } }
  }
}

/** Whether the body can be written as JSON. Messages can contain more, such as objects that contain themselves. */
function hasJson(body: unknown): boolean {
  try {
    JSON.stringify(body)
    return true
  } catch {
    return false
  }
}

/** @param moments the times of the calls that were allowed */
function isTooOften(moments: number[], max: number): boolean {
  const now = performance.now()
  while (moments[0] !== undefined && moments[0] <= now - periodMs) moments.shift()
  if (moments.length >= max) return true
  moments.push(now)
  return false
}

function refusal(status: number, message: string): Reply {
  return { status, body: { message, errors: [] } }
}

/** @returns the path with `..` resolved, if it is below `prefix` of this service; otherwise `null` */
export function addressBelow(prefix: string, path: unknown): string | null {
  if (typeof path !== 'string' || !path.startsWith(prefix) || !URL.canParse(path, location.origin))
    return null
  const { origin, pathname, search } = new URL(path, location.origin)
  return origin === location.origin && pathname.startsWith(prefix) ? pathname + search : null
}

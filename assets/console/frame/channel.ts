/** The protocol `tenantry.panel/1` with the inside of a frame, which has no token: the console asks the API for it. */
import { ApiError, type Method, request } from '../api.ts'
import { noteRequest } from '../page-requests.ts'

const protocol = 'tenantry.panel/1'
const methods: readonly unknown[] = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] satisfies Method[]
/** Their replies have tokens, with which the inside would act without the console. */
const ofTokens = /^\/api\/auth\/|\/impersonate(\?|$)/
/** No letter is encoded: the patterns here see the path as the service does. */
const plain = /^[^?%]+(\?|$)/
const maxRequests = 20
const periodMs = 1000

/** What the inside may ask the console to do, beside requests. */
export interface Deeds {
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

/** @param init what the inside is told first */
export function openChannel(inside: Window, init: Readonly<Record<string, unknown>>, deeds: Deeds): Channel {
  const { port1: port, port2 } = new MessageChannel()
  const moments: number[] = []
  port.onmessage = ({ data }: MessageEvent<Message | null>) => {
    if (data?.type === 'request')
      void answer(data, moments).then((reply) => port.postMessage({ type: 'reply', id: data.id, ...reply }))
    else if (data !== null) act(data, deeds)
  }
  // A frame without an origin cannot be named otherwise. The policy of this page lets it show files of the service only.
  inside.postMessage({ protocol, ...init }, '*', [port2])
  return { tell: (message) => port.postMessage(message), close: () => port.close() }
}

function act({ type, value }: Message, deeds: Deeds): void {
  if (type === 'goTo') {
    const path = addressBelow('/', value)
    if (path !== null) deeds.goTo(path)
  } else if (type === 'toast') deeds.toast(String(value).slice(0, 300))
  else if (type === 'resize') deeds.resize(Number(value) || 0)
  else if (type === 'dirty') deeds.dirty(value === true)
  else if (type === 'saved' || type === 'openPalette') deeds[type]()
}

async function answer({ method, path, body }: Message, moments: number[]): Promise<Reply> {
  const address = addressBelow('/api/', path)
  if (address === null || !plain.test(address) || !methods.includes(method))
    return refusal(400, 'Only plain paths under /api/ are requested.')
  if (ofTokens.test(address)) return refusal(403, 'Tokens stay in the console.')
  const now = performance.now()
  while (moments[0] !== undefined && moments[0] <= now - periodMs) moments.shift()
  if (moments.length >= maxRequests) return refusal(429, `At most ${maxRequests} requests a second are sent.`)
  moments.push(now)
  if (method !== 'GET') noteRequest({ method: String(method), path: address, body })
  try {
    const reply = await request(method as Method, address, { body }) // it is one of them
    return { status: 200, body: reply.body }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    return { status: error.status, body: { message: error.message, errors: error.faults } }
  }
}

function refusal(status: number, message: string): Reply {
  return { status, body: { message, errors: [] } }
}

/** @returns the path without `..`, if it is below `prefix` of this service; `null` for any other */
export function addressBelow(prefix: string, path: unknown): string | null {
  if (typeof path !== 'string' || !path.startsWith(prefix) || !URL.canParse(path, location.origin))
    return null
  const { origin, pathname, search } = new URL(path, location.origin)
  return origin === location.origin && pathname.startsWith(prefix) ? pathname + search : null
}

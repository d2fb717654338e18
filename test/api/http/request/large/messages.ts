/** Incoming webhooks and WebSocket messages of the maximum size. */
import type { Answer } from '../../../../support/client.ts'
import { RawSocket } from '../../../../support/graphql/raw-socket.ts'
import type { TestService, TestTenant } from '../../../../support/service.ts'
import { addRule, send, setProvider } from '../../../../support/webhooks/provider.ts'
import { type LargeRequest, limitBytes } from './requests.ts'
import { largeValues } from './values.ts'

/** Of a service with `sheetFeature`. */
export async function largeWebhooks(service: TestService, tenant: TestTenant): Promise<LargeRequest[]> {
  await setProvider(tenant.admin)
  for (const name of ['publish', 'log', 'order.pay', 'sheet.fill']) await addRule(tenant.admin, name)
  const texts = Object.entries(largeValues('0')).flatMap(([title, make]) => [
    { title: `a webhook that is ${title}`, text: make(limitBytes) },
    { title: `a webhook whose cells are ${title}`, text: `{"type":"a.b","cells":${make(limitBytes - 30)}}` },
  ])
  const form = { title: 'a form', text: 'a=1&'.repeat(limitBytes / 4) }
  return [...texts, form].map(({ title, text }) => ({ title, send: () => send(service, tenant, text) }))
}

export function largeMessages({ url }: TestService, { user }: TestTenant): LargeRequest[] {
  const payload = { authorization: user.headers['authorization'] }
  const query = '{"query":"query($a:[UUID!]){products(where:{id:{in:$a}}){id}}"'
  return Object.entries(largeValues('0')).flatMap(([title, make]) => {
    const large = make(limitBytes - 200)
    const messages = [
      large,
      `{"type":"ping","payload":{"authorization":${large}}}`,
      `{"type":"subscribe","id":"1","payload":${query},"variables":{"a":${large}}}}`,
      `{"type":"subscribe","id":"1","payload":${query},"extensions":{"persistedQuery":{"sha256Hash":${large}}}}}`,
    ]
    return messages.map((message) => ({
      title: `a message ${message.slice(0, 40)} with ${title}`,
      send: () => socketAnswer(url, payload, message),
    }))
  })
}

/** @returns 500 when the connection is closed because the service has failed */
async function socketAnswer(url: string, payload: object, message: string): Promise<Answer> {
  const socket = await RawSocket.enter(url, payload)
  socket.send(message)
  const code = await Promise.race([
    socket.inbox.next().then(() => 0),
    socket.closed.then(([closeCode]) => closeCode),
  ])
  socket.socket.terminate()
  return {
    status: code === internalError ? 500 : 200,
    headers: new Headers(),
    body: null,
    text: `closed: ${code}`,
  }
}

const internalError = 1011
